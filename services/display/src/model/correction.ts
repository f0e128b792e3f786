// A change that somebody is about to make by hand, and what it would do. Pure.
import { create, equals } from "@bufbuild/protobuf";
import { TurnSchema, type Cell, type Deployment, type PlacedFigure, type PlacedTile, type SegmentPlace, type TileType, type Turn } from "../gen/tilewarden/v1/game_pb";
import type { Choice } from "../gen/tilewarden/v1/query_pb";
import { looksTheSame } from "./features";
import { cellKey, neighbour, sameCell, type XY } from "./grid";
import type { View } from "./view";

export type Change =
  // Replaces turn `number` (from 1).
  | { readonly kind: "correct"; readonly number: number; readonly turn: Turn }
  // A turn that nobody saw, or one taken back before.
  | { readonly kind: "play"; readonly turn: Turn }
  | { readonly kind: "undo" }
  // Points besides those of the turns; below 0: taken away.
  | { readonly kind: "points"; readonly colour: string; readonly points: number; readonly reason: string }
  | { readonly kind: "end" }
  // What really happened, among the answers of an open question.
  | { readonly kind: "answer"; readonly question: number; readonly answer: number };

export const sameTurn = (a: Turn | undefined, b: Turn | undefined): boolean =>
  a !== undefined && b !== undefined && equals(TurnSchema, a, b);

export const sameDeployment = (a: Deployment | undefined, b: Deployment | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.kind === b.kind && a.segment === b.segment;

// Choices that look alike only once: the one that is taken, or else the first.
export function distinct(choices: readonly Choice[], taken: Turn, types: ReadonlyMap<string, TileType>): readonly Choice[] {
  const isTaken = (c: Choice) => c.tile === taken.tile && c.rotation === taken.rotation;
  const alike = (a: Choice, b: Choice) => {
    const type = types.get(a.tile);
    return a.tile === b.tile && type !== undefined && looksTheSame(type, a.rotation, b.rotation);
  };
  const kept: Choice[] = [];
  for (const choice of choices) {
    const same = kept.findIndex((other) => alike(choice, other));
    if (same < 0) kept.push(choice);
    else if (isTaken(choice)) kept[same] = choice;
  }
  return kept;
}

export const sameWay = (a: readonly SegmentPlace[], b: readonly SegmentPlace[]): boolean =>
  a.length === b.length && a.every((place, i) => sameCell(place.cell, b[i]?.cell) && place.segment === b[i]?.segment);

// The turn with another tile: its figure stays where the new tile has the same
// place for it. Where the Ark must enter or the Gingerbread Man must go, and the
// turn says nothing that is allowed, it says the first that is.
export function withChoice(turn: Turn, choice: Choice): Turn {
  const { deployment, recall, arkLanding, ...rest } = turn;
  const landing = choice.arkLandings.find((cell) => sameCell(cell, arkLanding)) ?? choice.arkLandings[0];
  const way = choice.gingerbreadWays.find(({ places }) => sameWay(places, turn.gingerbread)) ?? choice.gingerbreadWays[0];
  return create(TurnSchema, {
    ...rest,
    tile: choice.tile,
    rotation: choice.rotation,
    gingerbread: way?.places ?? [],
    ...(landing && { arkLanding: landing, arkPath: [] }),
    ...(deployment && choice.deployments.some((d) => sameDeployment(d, deployment)) && { deployment }),
    ...(recall && choice.recalls.some((cell) => sameCell(cell, recall)) && { recall }),
  });
}

// The turn with this figure, with an abbot called home, or (neither) without any. A player does
// one thing in a turn: either takes the place of the Ark's way.
export function withFigure(turn: Turn, deployment: Deployment | undefined, recall?: Cell): Turn {
  const { deployment: _, recall: __, ...rest } = turn;
  return create(TurnSchema, {
    ...rest,
    ...((deployment || recall) && { arkPath: [] }),
    ...(deployment && { deployment }),
    ...(recall && { recall }),
  });
}

// The turn in which the Ark goes this way; none: it stays. Going takes the place of a figure.
export function withArkPath(turn: Turn, arkPath: readonly Cell[]): Turn {
  const { deployment, recall, ...rest } = turn;
  return create(TurnSchema, {
    ...rest,
    arkPath: [...arkPath],
    ...(arkPath.length === 0 && deployment && { deployment }),
    ...(arkPath.length === 0 && recall && { recall }),
  });
}

// The sides, 0 to 3, on which the Ark can go on: there lay a tile by then, which it has not been on.
// How far it may go, and where it may end, the rules of its edition tell.
export function arkSteps(tiles: readonly PlacedTile[], ark: XY, turn: Turn): readonly number[] {
  const last = turn.arkPath[turn.arkPath.length - 1] ?? ark;
  const number = tiles.find(({ cell }) => sameCell(cell, turn.cell))?.turn ?? Infinity;
  return [0, 1, 2, 3].filter((side) => {
    const next = neighbour(last, side);
    const laid = sameCell(next, turn.cell) || tiles.some((tile) => tile.turn < number && sameCell(tile.cell, next));
    return laid && !turn.arkPath.some((cell) => sameCell(cell, next));
  });
}

export const withColour = (turn: Turn, colour: string): Turn => create(TurnSchema, { ...turn, colour });

// What is different after a change, for people.
export interface Difference {
  readonly scores: readonly { readonly colour: string; readonly from: number; readonly to: number }[];
  readonly tiles: readonly { readonly what: "laid" | "taken" | "changed" | "owner"; readonly tile: PlacedTile }[];
  readonly figures: readonly { readonly what: "set" | "home"; readonly figure: PlacedFigure }[];
  // Empty while nobody can know; undefined when it stays.
  readonly toMove?: string;
}

export function differenceOf(before: View, after: View): Difference {
  const scores = after.players.flatMap(({ colour, score }) => {
    const from = before.players.find((player) => player.colour === colour)?.score ?? 0;
    return from === score ? [] : [{ colour, from, to: score }];
  });
  const were = new Map(before.tiles.map((tile) => [cellKey(tile.cell), tile]));
  const are = new Map(after.tiles.map((tile) => [cellKey(tile.cell), tile]));
  const tiles: Difference["tiles"][number][] = [];
  for (const [key, tile] of were) if (!are.has(key)) tiles.push({ what: "taken", tile });
  for (const [key, tile] of are) {
    const was = were.get(key);
    if (!was) tiles.push({ what: "laid", tile });
    else if (was.tile !== tile.tile || was.rotation !== tile.rotation) tiles.push({ what: "changed", tile });
    else if (was.colour !== tile.colour) tiles.push({ what: "owner", tile });
  }
  const same = (a: PlacedFigure) => (b: PlacedFigure) =>
    a.colour === b.colour && a.kind === b.kind && a.segment === b.segment && sameCell(a.cell, b.cell);
  return {
    scores,
    tiles,
    figures: [
      ...before.figures.filter((f) => !after.figures.some(same(f))).map((figure) => ({ what: "home" as const, figure })),
      ...after.figures.filter((f) => !before.figures.some(same(f))).map((figure) => ({ what: "set" as const, figure })),
    ],
    ...(after.toMove !== before.toMove && { toMove: after.toMove }),
  };
}

export const isNothing = (d: Difference): boolean =>
  d.scores.length === 0 && d.tiles.length === 0 && d.figures.length === 0 && d.toMove === undefined;
