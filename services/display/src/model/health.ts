// How a table's camera is doing, as codes that the page has words for. Pure.
import type { GetCameraViewResponse } from "../gen/tilewarden/v1/query_pb";

export interface Health {
  readonly tone: "good" | "warning" | "illegal";
  // How it is.
  readonly state: "none" | "silent" | "lost" | "unsure" | "good";
  // What would make it better, the most useful first.
  readonly advice: readonly Advice[];
}
export type Advice = "connect" | "picture" | "aim" | "closer" | "light" | "clear";

// A camera reports every look. After this long without one, none is looking.
export const SILENT_MS = 10_000;
// Tiles narrower than this are read less surely (README of the repository).
export const NARROW_PX = 60;
// This share of the tiles may be doubtful before the page says so.
const DOUBTFUL = 0.15;

export function healthOf(camera: GetCameraViewResponse): Health {
  if (camera.sightings === 0n) return { tone: "illegal", state: "none", advice: ["connect"] };
  if (!camera.connected || camera.ageMs > SILENT_MS) return { tone: "illegal", state: "silent", advice: ["picture"] };
  const advice: Advice[] = [];
  if (!camera.onBoard) advice.push("aim");
  if (camera.tilePx > 0 && camera.tilePx < NARROW_PX) advice.push("closer");
  if (camera.unsureTiles > DOUBTFUL * camera.tiles) advice.push("light");
  // A hand is no fault. Anything else that covers tiles is one.
  if (camera.hiddenTiles > 0 && !camera.hand) advice.push("clear");
  if (!camera.onBoard) return { tone: "warning", state: "lost", advice };
  return advice.length > 0 ? { tone: "warning", state: "unsure", advice } : { tone: "good", state: "good", advice };
}
