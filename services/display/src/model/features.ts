// Which feature lies under a finger, and how far it reaches: the segments of
// laid tiles joined across their edges. Only for display: what counts is the
// engine service's word. Pure.
import { SegmentKind, type PlacedFigure, type PlacedTile, type TileType } from "../gen/tilewarden/v1/game_pb";
import { distanceToLine, inside } from "../draw/shapes";
import { cellKey, neighbour, rotatedPoint, sameCell, unrotatedPoint, type XY } from "./grid";

export interface Feature {
  readonly kind: SegmentKind;
  readonly cells: readonly XY[];
  readonly figures: readonly PlacedFigure[];
  // Every segment of it; the one under the finger first.
  readonly places: readonly SegmentPlace[];
}

export interface SegmentPlace {
  readonly cell: XY;
  readonly segment: number;
}

// What a tile type's segments touch, in canonical orientation.
interface Contacts {
  // By side: the segments that cross it (cities, roads, rivers).
  readonly sides: readonly (readonly number[])[];
  // By half-edge, clockwise from north-west: the field there, or -1.
  readonly halves: readonly number[];
  // Which segment covers each point of a GRID x GRID raster.
  readonly raster: Int8Array;
}

const GRID = 40;
const ROAD_REACH = 0.06;
const RIVER_REACH = 0.09;
const FACING_HALF = [5, 4, 7, 6, 1, 0, 3, 2] as const;

const known = new WeakMap<TileType, Contacts>();

function contactsOf(type: TileType): Contacts {
  let contacts = known.get(type);
  if (!contacts) {
    contacts = findContacts(type);
    known.set(type, contacts);
  }
  return contacts;
}

function findContacts(type: TileType): Contacts {
  const raster = new Int8Array(GRID * GRID).fill(-1);
  const point = (i: number): XY => ({ x: ((i % GRID) + 0.5) / GRID, y: (Math.floor(i / GRID) + 0.5) / GRID });
  for (let i = 0; i < raster.length; ++i) {
    const p = point(i);
    type.segments.forEach((segment, k) => {
      const reach = segment.kind === SegmentKind.RIVER ? RIVER_REACH : ROAD_REACH;
      if (segment.areas.some((area) => inside(area.points, p))) raster[i] = k;
      else if (raster[i] === -1 && segment.paths.some((path) => distanceToLine(path.points, p) <= reach)) raster[i] = k;
    });
  }
  // Fields grow from where a farmer lies until they meet something else.
  const front: number[] = [];
  type.segments.forEach((segment, k) => {
    if (segment.kind !== SegmentKind.FIELD || !segment.spot) return;
    const i = indexAt(segment.spot);
    raster[i] = k;
    front.push(i);
  });
  for (let head = 0; head < front.length; ++head) {
    const i = front[head]!;
    const x = i % GRID;
    for (const next of [x > 0 ? i - 1 : -1, x < GRID - 1 ? i + 1 : -1, i - GRID, i + GRID]) {
      if (next < 0 || next >= raster.length || raster[next] !== -1) continue;
      raster[next] = raster[i]!;
      front.push(next);
    }
  }
  const at = (p: XY) => raster[indexAt(p)] ?? -1;
  const kindAt = (k: number) => type.segments[k]?.kind;
  const sides = [0, 1, 2, 3].map((side) => {
    const k = at(rotatedPoint({ x: 0.5, y: 0.5 / GRID }, side));
    const kind = kindAt(k);
    return kind === undefined || kind === SegmentKind.FIELD ? [] : [k];
  });
  const halves = Array.from({ length: 8 }, (_, half) => {
    const k = at(rotatedPoint({ x: half % 2 ? 0.8 : 0.2, y: 0.5 / GRID }, half >> 1));
    return kindAt(k) === SegmentKind.FIELD ? k : -1;
  });
  return { sides, halves, raster };
}

function indexAt(p: XY): number {
  const clamp = (v: number) => Math.min(GRID - 1, Math.max(0, Math.floor(v * GRID)));
  return clamp(p.y) * GRID + clamp(p.x);
}

// The segment under a point of a tile in canonical orientation.
export function segmentAt(type: TileType, point: XY): number | undefined {
  const segment = contactsOf(type).raster[indexAt(point)] ?? -1;
  return segment < 0 ? undefined : segment;
}

// The feature at a point of a laid tile; undefined beside the board, or where
// nothing is known.
export function featureAt(
  tiles: readonly PlacedTile[],
  figures: readonly PlacedFigure[],
  types: ReadonlyMap<string, TileType>,
  cell: XY,
  point: XY,
): Feature | undefined {
  const laid = new Map(tiles.map((tile) => [cellKey(tile.cell), tile]));
  const first = laid.get(cellKey(cell));
  const firstType = first && types.get(first.tile);
  if (!first || !firstType) return undefined;
  const start = contactsOf(firstType).raster[indexAt(unrotatedPoint(point, first.rotation))] ?? -1;
  const kind = firstType.segments[start]?.kind;
  if (kind === undefined) return undefined;

  const seen = new Map<string, SegmentPlace>();
  const todo: SegmentPlace[] = [{ cell, segment: start }];
  const visit = (next: SegmentPlace) => {
    const key = `${cellKey(next.cell)}/${next.segment}`;
    if (seen.has(key)) return;
    seen.set(key, next);
    todo.push(next);
  };
  seen.set(`${cellKey(cell)}/${start}`, todo[0]!);
  for (let here = todo.pop(); here; here = todo.pop()) {
    const tile = laid.get(cellKey(here.cell));
    const type = tile && types.get(tile.tile);
    if (!tile || !type) continue;
    const { sides, halves } = contactsOf(type);
    for (let side = 0; side < 4; ++side) {
      const beyond = neighbour(here.cell, side);
      const other = laid.get(cellKey(beyond));
      const otherType = other && types.get(other.tile);
      if (!other || !otherType) continue;
      const theirs = contactsOf(otherType);
      if (sides[(side - tile.rotation + 8) % 4]?.includes(here.segment)) {
        for (const segment of theirs.sides[(side + 2 - other.rotation + 8) % 4] ?? []) {
          if (otherType.segments[segment]?.kind === kind) visit({ cell: beyond, segment });
        }
      }
      for (const half of [2 * side, 2 * side + 1]) {
        if (halves[(half - 2 * tile.rotation + 16) % 8] !== here.segment) continue;
        const segment = theirs.halves[(FACING_HALF[half]! - 2 * other.rotation + 16) % 8] ?? -1;
        if (segment >= 0) visit({ cell: beyond, segment });
      }
    }
  }
  const reached = [...seen.values()];
  const cells = [...new Map(reached.map((r) => [cellKey(r.cell), r.cell])).values()];
  return {
    kind,
    cells,
    places: reached,
    figures: figures.filter((figure) => seen.has(`${cellKey(figure.cell)}/${figure.segment}`)),
  };
}

// The completed cities that a field touches: what its farmers are paid for.
export function citiesBeside(
  field: Feature,
  tiles: readonly PlacedTile[],
  types: ReadonlyMap<string, TileType>,
): readonly Feature[] {
  const laid = new Map(tiles.map((tile) => [cellKey(tile.cell), tile]));
  const cities: Feature[] = [];
  for (const { cell, segment } of field.places) {
    const tile = laid.get(cellKey(cell));
    const type = tile && types.get(tile.tile);
    if (!tile || !type) continue;
    type.segments.forEach((part, k) => {
      const known = cities.some((city) => city.places.some((place) => place.segment === k && sameCell(place.cell, cell)));
      if (part.kind !== SegmentKind.CITY || !part.spot || known || !touch(contactsOf(type).raster, segment, k)) return;
      const city = featureAt(tiles, [], types, cell, rotatedPoint(part.spot, tile.rotation));
      if (city && isClosed(city, laid, types)) cities.push(city);
    });
  }
  return cities;
}

function touch(raster: Int8Array, a: number, b: number): boolean {
  return raster.some((k, i) => {
    if (k !== a) return false;
    const x = i % GRID;
    return [x > 0 ? i - 1 : -1, x < GRID - 1 ? i + 1 : -1, i - GRID, i + GRID].some((next) => raster[next] === b);
  });
}

const isClosed = (
  feature: Feature,
  laid: ReadonlyMap<string, PlacedTile>,
  types: ReadonlyMap<string, TileType>,
): boolean =>
  feature.places.every(({ cell, segment }) => {
    const tile = laid.get(cellKey(cell));
    const type = tile && types.get(tile.tile);
    if (!tile || !type) return false;
    return contactsOf(type).sides.every(
      (segments, side) => !segments.includes(segment) || laid.has(cellKey(neighbour(cell, side + tile.rotation))),
    );
  });

// Whether a tile looks the same turned either way.
export function looksTheSame(type: TileType, rotation: number, other: number): boolean {
  const { raster } = contactsOf(type);
  const kindAt = (p: XY, turns: number) => type.segments[raster[indexAt(unrotatedPoint(p, turns))] ?? -1]?.kind;
  let different = 0;
  for (let i = 0; i < raster.length; ++i) {
    const p = { x: ((i % GRID) + 0.5) / GRID, y: (Math.floor(i / GRID) + 0.5) / GRID };
    if (kindAt(p, rotation) !== kindAt(p, other)) ++different;
  }
  const arms = type.segments.flatMap((segment) => segment.coatOfArmsSpots);
  const sameArms = arms.every((spot) => {
    const turned = rotatedPoint(spot, rotation);
    return arms.some((a) => {
      const q = rotatedPoint(a, other);
      return Math.hypot(q.x - turned.x, q.y - turned.y) < 0.05;
    });
  });
  return sameArms && different < raster.length * 0.02;
}

// The outlines of a segment in canonical orientation: what a display lights.
export function outlinesOf(type: TileType, segment: number): readonly (readonly XY[])[] {
  const areas = type.segments[segment]?.areas ?? [];
  return areas.length > 0 ? areas.map((area) => area.points) : tracedOutlines(contactsOf(type).raster, segment);
}

// Around every run of raster points of this segment. The corners are the
// middles of the raster's edges, so that slopes come out smooth.
function tracedOutlines(raster: Int8Array, segment: number): XY[][] {
  const has = (x: number, y: number) => x >= 0 && y >= 0 && x < GRID && y < GRID && raster[y * GRID + x] === segment;
  // Edges with the segment on their right, by where they start.
  const next = new Map<number, { x: number; y: number; dx: number; dy: number }[]>();
  const corner = (x: number, y: number) => y * (GRID + 1) + x;
  const add = (x: number, y: number, dx: number, dy: number) => {
    const at = corner(x, y);
    next.set(at, [...(next.get(at) ?? []), { x, y, dx, dy }]);
  };
  for (let y = 0; y < GRID; ++y) {
    for (let x = 0; x < GRID; ++x) {
      if (!has(x, y)) continue;
      if (!has(x, y - 1)) add(x, y, 1, 0);
      if (!has(x + 1, y)) add(x + 1, y, 0, 1);
      if (!has(x, y + 1)) add(x + 1, y + 1, -1, 0);
      if (!has(x - 1, y)) add(x, y + 1, 0, -1);
    }
  }
  const outlines: XY[][] = [];
  for (const [, starts] of next) {
    while (starts.length > 0) {
      const outline: XY[] = [];
      for (let edge = starts.pop(); edge; edge = next.get(corner(edge.x + edge.dx, edge.y + edge.dy))?.pop()) {
        outline.push({ x: (edge.x + edge.dx / 2) / GRID, y: (edge.y + edge.dy / 2) / GRID });
      }
      outlines.push(outline);
    }
  }
  return outlines;
}
