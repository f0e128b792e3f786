// How a table's camera is doing, as codes that the page has words for. Pure.
import { NotReadWhy, type Cell } from "../gen/tilewarden/v1/game_pb";
import type { GetCameraViewResponse } from "../gen/tilewarden/v1/query_pb";

export interface Health {
  readonly tone: "good" | "warning" | "illegal";
  // How it is.
  readonly state: "none" | "silent" | "over" | "lost" | "unsure" | "good";
  // What would make it better, the most useful first.
  readonly advice: readonly Advice[];
}
export type Side = "left" | "right" | "top" | "bottom";
export type Advice = "connect" | "picture" | "aim" | `cut.${Side}` | "closer" | "light" | "clear" | "unreadable" | "outside";

// A camera reports every look. After this long without one, none is looking.
export const SILENT_MS = 10_000;
// Tiles narrower than this are read less surely (README of the repository).
export const NARROW_PX = 60;
// This share of the tiles may be doubtful before the page says so.
const DOUBTFUL = 0.15;

// On which side of the tiles a cell lies, as the page shows them.
export function sideOf(cell: Pick<Cell, "x" | "y">, tiles: readonly Pick<Cell, "x" | "y">[]): Side {
  const off = (at: number, all: readonly number[]) => (at - (Math.min(...all) + Math.max(...all)) / 2) / (Math.max(...all) - Math.min(...all) + 1);
  const [across, down] = [off(cell.x, tiles.map((tile) => tile.x)), off(cell.y, tiles.map((tile) => tile.y))];
  if (Math.abs(across) > Math.abs(down)) return across < 0 ? "left" : "right";
  return down < 0 ? "top" : "bottom";
}

// What was seen of the board and not read, each advice once.
function unread(camera: GetCameraViewResponse, tiles: readonly Pick<Cell, "x" | "y">[]): Advice[] {
  const advice = camera.notRead.map(({ why, cell }): Advice =>
    why === NotReadWhy.OUTSIDE ? "outside"
    : why === NotReadWhy.CUT_BY_BORDER && cell && tiles.length > 0 ? `cut.${sideOf(cell, tiles)}`
    : "unreadable");
  return [...new Set(advice)];
}

// `tiles`: the cells of the board. `ended`: the game is over, and its board no longer looked for.
export function healthOf(camera: GetCameraViewResponse, tiles: readonly Pick<Cell, "x" | "y">[] = [], ended = false): Health {
  if (camera.sightings === 0n) return { tone: "illegal", state: "none", advice: ["connect"] };
  if (!camera.connected || camera.ageMs > SILENT_MS) return { tone: "illegal", state: "silent", advice: ["picture"] };
  if (ended) return { tone: "good", state: "over", advice: [] };
  const advice: Advice[] = [];
  if (!camera.onBoard) advice.push("aim");
  advice.push(...unread(camera, tiles));
  if (camera.tilePx > 0 && camera.tilePx < NARROW_PX) advice.push("closer");
  if (camera.unsureTiles > DOUBTFUL * camera.tiles) advice.push("light");
  // A hand is no fault. Anything else that covers tiles is one.
  if (camera.hiddenTiles > 0 && !camera.hand) advice.push("clear");
  if (!camera.onBoard) return { tone: "warning", state: "lost", advice };
  return advice.length > 0 ? { tone: "warning", state: "unsure", advice } : { tone: "good", state: "good", advice };
}
