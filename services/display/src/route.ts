// Addresses: #/VIEW or #/VIEW/GAME; without a game the newest one is shown. Pure.
export const VIEWS = ["board", "scores", "timeline", "tables", "overlay"] as const;
export type ViewName = (typeof VIEWS)[number];

export interface Route {
  readonly view: ViewName;
  // Empty: the newest game.
  readonly gameId: string;
}

export function parseRoute(hash: string): Route {
  const [, name = "", id = ""] = hash.replace(/^#/, "").split("/");
  const view = VIEWS.find((v) => v === name) ?? "board";
  try {
    return { view, gameId: decodeURIComponent(id) };
  } catch {
    return { view, gameId: "" };
  }
}

export const addressOf = ({ view, gameId }: Route): string =>
  gameId ? `#/${view}/${encodeURIComponent(gameId)}` : `#/${view}`;
