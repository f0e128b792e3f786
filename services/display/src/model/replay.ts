// A game as a film: what happens when, and where each thing is at any moment. The page and the
// file that people keep show the same film. Pure.
import { GamePhase, type PlacedFigure, type PlacedTile, type ScoreItem } from "../gen/tilewarden/v1/game_pb";
import { boundsOf, cellKey, type Bounds, type XY } from "./grid";
import type { Moment } from "./history";
import { sameFigure, type View } from "./view";

// At the film's own pace. Points stay until they are read.
const OPENING_MS = 900;
const TURN_MS = 600;
const POINTS_MS = 500;
const FINAL_MS = 2_400;
const CLOSING_MS = 2_600;

const FLIGHT_MS = 360;
const FLIGHT_CELLS = 1.7;
const STEP_ON_MS = { from: 260, to: 520 };
const GAIN_MS = { from: 430, to: 1_090 };
const LEAVE_MS = { from: 560, to: 860 };
const COUNTED_MS = 560;

// Where and how something is drawn, beside its place at rest: moved by cells, turned by degrees.
export interface Pose {
  readonly dx: number;
  readonly dy: number;
  readonly scale: number;
  readonly turn: number;
  readonly opacity: number;
}

const AT_REST: Pose = { dx: 0, dy: 0, scale: 1, turn: 0, opacity: 1 };
const AWAY: Pose = { ...AT_REST, opacity: 0 };

export interface Gain {
  readonly colour: string;
  readonly points: number;
}

interface Moving {
  readonly key: string;
  readonly cell: XY;
  // After so many milliseconds of its scene.
  pose(ms: number): Pose;
}
export type Part = Moving &
  (
    | { readonly kind: "tile"; readonly tile: PlacedTile }
    | { readonly kind: "figure"; readonly figure: PlacedFigure }
    | { readonly kind: "gain"; readonly gain: Gain }
  );

export interface Scene {
  readonly from_ms: number;
  readonly length_ms: number;
  readonly kind: "opening" | "turn" | "final" | "closing";
  // What lies still while the parts move.
  readonly ground: View;
  readonly before: View;
  readonly after: View;
  readonly parts: readonly Part[];
  readonly items: readonly ScoreItem[];
}

export interface Script {
  readonly scenes: readonly Scene[];
  readonly length_ms: number;
  // Of the board at its largest.
  readonly bounds: Bounds | undefined;
  readonly turns: number;
}

export function scriptOf(moments: readonly Moment[]): Script {
  const scenes: Scene[] = [];
  const add = (scene: Omit<Scene, "from_ms">) => {
    const last = scenes[scenes.length - 1];
    scenes.push({ ...scene, from_ms: last ? last.from_ms + last.length_ms : 0 });
  };
  moments.forEach(({ view }, i) => {
    const before = moments[i - 1]?.view;
    if (!before) add({ ...still(view), kind: "opening", length_ms: OPENING_MS });
    else if (view.phase === GamePhase.ENDED && before.phase !== GamePhase.ENDED && view.turn === before.turn) add(finalScene(before, view));
    else add(turnScene(before, view));
  });
  const last = scenes[scenes.length - 1];
  if (last?.after.phase === GamePhase.ENDED) add({ ...still(last.after), kind: "closing", length_ms: CLOSING_MS });
  const end = scenes[scenes.length - 1];
  return {
    scenes,
    length_ms: end ? end.from_ms + end.length_ms : 0,
    bounds: boundsOf(scenes.flatMap(({ after }) => after.tiles.flatMap((tile) => tile.cell ?? []))),
    turns: last?.after.turn ?? 0,
  };
}

const still = (view: View) => ({ ground: view, before: view, after: view, parts: [], items: [] });

function turnScene(before: View, after: View): Omit<Scene, "from_ms"> {
  const laid = before.tiles.map((tile) => cellKey(tile.cell));
  // More than one only where the camera missed a turn and somebody put it right.
  const tiles = after.tiles.filter((tile) => !laid.includes(cellKey(tile.cell)));
  const missing = (from: readonly PlacedFigure[], others: readonly PlacedFigure[]) => from.filter((f) => !others.some((other) => sameFigure(f, other)));
  // A figure that is set and paid in one turn never stands in a view.
  const flash = missing(after.last?.returned ?? [], [...before.figures, ...after.figures]);
  const came = [...missing(after.figures, before.figures), ...flash];
  const went = missing(before.figures, after.figures);
  const items = after.scoreItems.slice(before.scoreItems.length).filter(({ points }) => points !== 0);
  return {
    kind: "turn",
    length_ms: TURN_MS + (items.length > 0 ? POINTS_MS : 0),
    ground: { ...before, figures: before.figures.filter((figure) => !went.includes(figure)), neutral: after.neutral },
    before,
    after,
    parts: [
      ...tiles.map((tile) => tilePart(tile, before)),
      ...came.map((figure) => figurePart(figure, true, flash.includes(figure))),
      ...went.map((figure) => figurePart(figure, false, true)),
      ...gainParts(items, after),
    ],
    items,
  };
}

function finalScene(before: View, after: View): Omit<Scene, "from_ms"> {
  const items = after.scoreItems.slice(before.scoreItems.length).filter(({ points }) => points !== 0);
  return { kind: "final", length_ms: FINAL_MS, ground: before, before, after, parts: gainParts(items, after, FINAL_MS), items };
}

// A tile comes from outside, over the board's edge nearest to it.
function tilePart(tile: PlacedTile, before: View): Part {
  const cell = tile.cell ?? { x: 0, y: 0 };
  const board = boundsOf(before.tiles.flatMap((laid) => laid.cell ?? []));
  const out = { x: cell.x + 0.5 - (board ? (board.left + board.right) / 2 : 0), y: cell.y + 0.5 - (board ? (board.top + board.bottom) / 2 : 0) };
  const far = Math.hypot(out.x, out.y);
  const way = far > 0.1 ? { x: (out.x / far) * FLIGHT_CELLS, y: (out.y / far) * FLIGHT_CELLS } : { x: 0, y: -FLIGHT_CELLS };
  return {
    kind: "tile",
    key: `tile/${tile.turn}/${cellKey(cell)}`,
    cell,
    tile,
    pose: (ms) => {
      const left = 1 - settled(ms, 0, FLIGHT_MS);
      return { dx: way.x * left, dy: way.y * left, scale: 1 + 0.4 * left, turn: -14 * left, opacity: Math.min(1, (ms / FLIGHT_MS) * 4) };
    },
  };
}

function figurePart(figure: PlacedFigure, comes: boolean, leaves: boolean): Part {
  const cell = figure.cell ?? { x: 0, y: 0 };
  return {
    kind: "figure",
    key: `figure/${comes}/${figure.colour}/${figure.kind}/${cellKey(cell)}/${figure.segment}`,
    cell,
    figure,
    pose: (ms) => {
      if (leaves && ms > LEAVE_MS.from) {
        const gone = settled(ms, LEAVE_MS.from, LEAVE_MS.to);
        return { ...AT_REST, dy: -0.6 * gone, opacity: 1 - gone };
      }
      if (!comes) return AT_REST;
      const there = settled(ms, STEP_ON_MS.from, STEP_ON_MS.to);
      return { ...AT_REST, dy: there - 1, opacity: Math.min(1, there * 2) };
    },
  };
}

// Each reason's points rise where they were made; what several have at one place stands in a pile.
function gainParts(items: readonly ScoreItem[], after: View, until_ms = GAIN_MS.to): Part[] {
  const taken = new Map<string, number>();
  return items.map(({ colour, points, cells }, i) => {
    const cell = middleOf(cells) ?? after.last?.tile.cell ?? { x: 0, y: 0 };
    const below = taken.get(cellKey(cell)) ?? 0;
    taken.set(cellKey(cell), below + 1);
    return {
      kind: "gain",
      key: `gain/${i}`,
      cell: { x: cell.x, y: cell.y - 0.45 * below },
      gain: { colour, points },
      pose: (ms) => {
        const u = part(ms, GAIN_MS.from, until_ms);
        if (u === 0) return AWAY;
        const shown = settled(ms, GAIN_MS.from, GAIN_MS.to);
        return { ...AT_REST, dy: 0.15 - 0.5 * shown, scale: 0.7 + 0.3 * Math.min(1, shown * 2), opacity: Math.min(1, u * 8, (1 - u) * 5) };
      },
    };
  });
}

// The cell of a feature nearest to its middle.
function middleOf(cells: readonly XY[]): XY | undefined {
  if (cells.length === 0) return undefined;
  const x = cells.reduce((sum, cell) => sum + cell.x, 0) / cells.length;
  const y = cells.reduce((sum, cell) => sum + cell.y, 0) / cells.length;
  const far = (cell: XY) => Math.hypot(cell.x - x, cell.y - y);
  return cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
}

const part = (ms: number, from: number, to: number): number => Math.min(1, Math.max(0, (ms - from) / (to - from)));
// Fast at first, and gently to its place.
const settled = (ms: number, from: number, to: number): number => 1 - (1 - part(ms, from, to)) ** 3;

// Which scene plays at a moment of the film; the last one goes on for ever.
export function sceneAt({ scenes }: Script, ms: number): number {
  let low = 0;
  for (let high = scenes.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (scenes[middle]!.from_ms <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Whose scores are shown after so many milliseconds of the scene.
export const shownScores = (scene: Scene, ms: number): View => (ms < COUNTED_MS ? scene.before : scene.after);

// Without motion: as everything stands when it has come to rest, its points beside it.
export const restOf = (part: Part): Pose => (part.kind === "gain" ? AT_REST : part.pose(LEAVE_MS.to));

export interface FilmFrame {
  readonly scene: Scene;
  // Since the scene began.
  readonly at_ms: number;
  readonly shown_ms: number;
}

// The film in steps, for a file. What stands still is one frame, however long.
export function framesOf({ scenes }: Script, step_ms: number): FilmFrame[] {
  const frames: FilmFrame[] = [];
  for (const scene of scenes) {
    let looks = "";
    for (let at_ms = 0; at_ms < scene.length_ms; at_ms += step_ms) {
      const shown_ms = Math.min(step_ms, scene.length_ms - at_ms);
      const now = JSON.stringify([shownScores(scene, at_ms) === scene.after, ...scene.parts.map((part) => part.pose(at_ms))]);
      const last = frames[frames.length - 1];
      if (last && now === looks) frames[frames.length - 1] = { ...last, shown_ms: last.shown_ms + shown_ms };
      else frames.push({ scene, at_ms, shown_ms });
      looks = now;
    }
  }
  return frames;
}
