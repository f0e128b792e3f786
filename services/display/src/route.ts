// Addresses: #/VIEW, #/VIEW/GAME or #/VIEW/GAME/DETAIL; without a game the newest
// one is shown. #/pair/CODE lets this device in. Pure.
export const VIEWS = ["board", "scores", "timeline", "replay", "correct", "tables", "players", "camera", "tiles", "enrol", "calibrate", "new", "hall", "overlay", "phone", "pair"] as const;
export type ViewName = (typeof VIEWS)[number];

export interface Route {
  readonly view: ViewName;
  // Empty: the newest game.
  readonly gameId: string;
  // What the view should begin with: a turn to correct.
  readonly detail?: string;
}

export function parseRoute(hash: string): Route {
  const [, name = "", id = "", detail = ""] = hash.replace(/^#/, "").split("/");
  const view = VIEWS.find((v) => v === name) ?? "board";
  try {
    return { view, gameId: decodeURIComponent(id), ...(detail && { detail: decodeURIComponent(detail) }) };
  } catch {
    return { view, gameId: "" };
  }
}

export const addressOf = ({ view, gameId, detail }: Route): string =>
  `#/${[view, ...(gameId ? [gameId] : []), ...(gameId && detail ? [detail] : [])].map(encodeURIComponent).join("/")}`;
