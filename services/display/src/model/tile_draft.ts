// A tile that somebody draws: cities, roads and rivers from side to side, what
// lies on them, fields. The engine service says whether it is possible. Pure;
// a draft is never changed, only replaced.
import { create } from "@bufbuild/protobuf";
import { SegmentKind } from "../gen/tilewarden/v1/game_pb";
import { SegmentDefinitionSchema, TileDefinitionSchema, TileOrigin, type SegmentDefinition, type TileDefinition, type TileEntry } from "../gen/tilewarden/v1/tiles_pb";
import type { XY } from "./grid";

export interface Draft {
  readonly definition: TileDefinition;
  // The service works the fields out from everything else.
  readonly drawFields: boolean;
  // Of a home-made tile.
  readonly copies: number;
  // No tile of this id may be there already.
  readonly newTile: boolean;
}

// Where a line begins and ends: a side, clockwise from north, or the middle.
export const MIDDLE = 4;
export type Zone = 0 | 1 | 2 | 3 | typeof MIDDLE;

const LINES: readonly SegmentKind[] = [SegmentKind.CITY, SegmentKind.ROAD, SegmentKind.RIVER];
export const PLOTS = [SegmentKind.MONASTERY, SegmentKind.GARDEN, SegmentKind.TEMPLE] as const;

export const isField = ({ kind }: SegmentDefinition): boolean => kind === SegmentKind.FIELD;

export const draftOf = ({ definition, drawing, plainFields }: TileEntry): Draft => ({
  definition: ordered(definition ?? create(TileDefinitionSchema)),
  drawFields: plainFields,
  copies: drawing?.count ?? 1,
  newTile: false,
});

export const newDraft = (id: string): Draft => ({ definition: create(TileDefinitionSchema, { id }), drawFields: true, copies: 1, newTile: true });

// An id for the next home-made tile.
export function freeId(entries: readonly TileEntry[]): string {
  const taken = new Set(entries.map(({ definition }) => definition?.id));
  let number = 1;
  while (taken.has(`H.${number}`)) ++number;
  return `H.${number}`;
}

// Fields last, as the service puts those that it works out.
function ordered(definition: TileDefinition): TileDefinition {
  const { segments } = definition;
  const order = [...segments.keys()].sort((a, b) => Number(isField(segments[a]!)) - Number(isField(segments[b]!)) || a - b);
  return withSegments(
    definition,
    order.map((old) => {
      const segment = segments[old]!;
      return { ...segment, borders: segment.borders.map((city) => order.indexOf(city)).sort((a, b) => a - b) };
    }),
  );
}

const withSegments = (definition: TileDefinition, segments: SegmentDefinition[]): TileDefinition => ({ ...definition, segments });

// Something else than a field was drawn: fields follow.
const redrawn = (draft: Draft, segments: SegmentDefinition[]): Draft => ({
  ...draft,
  drawFields: true,
  definition: withSegments(draft.definition, segments),
});

export const kindAt = ({ definition }: Draft, side: number): SegmentKind =>
  definition.segments.find(({ sides }) => sides.includes(side))?.kind ?? SegmentKind.FIELD;

// A city, road or river from here to there; from a side to the middle, or to the
// same side: only there. A field takes away what touches the sides.
export function withLine(draft: Draft, kind: SegmentKind, from: Zone, to: Zone): Draft {
  const sides: number[] = [...new Set([from, to])].filter((zone) => zone !== MIDDLE);
  if (sides.length === 0) return draft;
  const { segments } = draft.definition;
  const joined = sides.length === 2 ? segments.filter((s) => s.kind === kind && s.sides.some((side) => sides.includes(side))) : [];
  const all = [...new Set([...sides, ...joined.flatMap((s) => s.sides)])].sort((a, b) => a - b);
  const first = joined[0];
  const at = first ? segments.indexOf(first) : segments.length;
  const next: SegmentDefinition[] = [];
  segments.forEach((segment, i) => {
    if (i === at) next.push(lineOf(draft, kind, all, segment));
    if (joined.includes(segment)) return;
    const left = segment.sides.filter((side) => !all.includes(side));
    if (left.length === segment.sides.length) next.push(segment);
    else if (left.length > 0) next.push(lineOf(draft, segment.kind, left, segment));
  });
  if (!first && LINES.includes(kind)) next.push(lineOf(draft, kind, all));
  return redrawn(draft, [...next.filter((s) => !isField(s)), ...next.filter(isField)]);
}

// One that touches these sides now. Only a road with one side ends on its tile.
function lineOf({ definition }: Draft, kind: SegmentKind, sides: number[], before?: SegmentDefinition): SegmentDefinition {
  const has = (plot: SegmentKind) => definition.segments.some((s) => s.kind === plot);
  const end = has(SegmentKind.MONASTERY) ? "monastery" : has(SegmentKind.TEMPLE) ? "temple" : "village";
  const ends = kind === SegmentKind.ROAD && sides.length === 1;
  const { spot: _, ...kept } = before ?? create(SegmentDefinitionSchema, { kind });
  return { ...kept, sides, roadEnd: ends ? kept.roadEnd || end : "" };
}

export const hasPlot = ({ definition }: Draft, kind: SegmentKind): boolean => definition.segments.some((s) => s.kind === kind);

export function withPlot(draft: Draft, kind: SegmentKind, wanted: boolean): Draft {
  const others = draft.definition.segments.filter((s) => s.kind !== kind);
  const plots = wanted ? [create(SegmentDefinitionSchema, { kind })] : [];
  return redrawn(draft, [...others.filter((s) => !isField(s)), ...plots, ...others.filter(isField)]);
}

// What lies on a segment, or where its figure stands.
export function withMark(draft: Draft, index: number, change: Partial<SegmentDefinition>): Draft {
  const segments = draft.definition.segments.map((s, i) => (i === index ? { ...s, ...change } : s));
  return { ...draft, definition: withSegments(draft.definition, segments) };
}

export function withSpot(draft: Draft, index: number, spot: XY | undefined): Draft {
  const { spot: _, ...rest } = draft.definition.segments[index]!;
  const clamp = (v: number) => Math.round(Math.min(1, Math.max(0, v)) * 1000) / 1000;
  const at = spot && create(SegmentDefinitionSchema, { spot: { x: clamp(spot.x), y: clamp(spot.y) } }).spot;
  const segments = draft.definition.segments.map((s, i) => (i !== index ? s : { ...rest, ...(at && { spot: at }) }));
  return { ...draft, definition: withSegments(draft.definition, segments) };
}

// Fields by hand from now on, or as the service works them out.
export const withFieldsByHand = (draft: Draft, byHand: boolean): Draft => ({ ...draft, drawFields: !byHand });

export function withNewField(draft: Draft): Draft {
  const { segments } = draft.definition;
  return { ...draft, definition: withSegments(draft.definition, [...segments, create(SegmentDefinitionSchema, { kind: SegmentKind.FIELD })]) };
}

export const withoutSegment = (draft: Draft, index: number): Draft => ({
  ...draft,
  definition: withSegments(draft.definition, draft.definition.segments.filter((_, i) => i !== index)),
});

const toggled = (numbers: readonly number[], number: number): number[] =>
  numbers.includes(number) ? numbers.filter((n) => n !== number) : [...numbers, number].sort((a, b) => a - b);

// A half-edge belongs to one field.
export function withHalfEdge(draft: Draft, index: number, half: number): Draft {
  const segments = draft.definition.segments.map((s, i) => ({
    ...s,
    halfEdges: i === index ? toggled(s.halfEdges, half) : s.halfEdges.filter((h) => h !== half),
  }));
  return { ...draft, definition: withSegments(draft.definition, segments) };
}

export const withBorder = (draft: Draft, index: number, city: number): Draft =>
  withMark(draft, index, { borders: toggled(draft.definition.segments[index]!.borders, city) });

// As it is sent to be saved: whoever draws a tile knows it.
export const known = ({ definition }: Draft): TileDefinition => ({ ...definition, assumed: false });

export const isHomeMade = (entry: TileEntry | undefined): boolean => !entry || entry.origin === TileOrigin.HOME_MADE;
