// The land of a tile as it lies: where its cities, roads and rivers run, and
// how far a point is from them. Coordinates: 0 to 100, y south.
import { SegmentKind, type TileType } from "../gen/tilewarden/v1/game_pb";
import { rotatedPoint, type XY } from "../model/grid";
import { distance, distanceToLine, distanceToOutline, inside } from "./shapes";

const ROAD_HALF = 4.5;
const RIVER_HALF = 8;

// Something that some rules see.
export interface LandMark {
  readonly name: string;
  readonly count: number;
  // Where the figure of its segment stands.
  readonly near: XY;
  readonly inCity: boolean;
}

// Land as it lies, in drawing coordinates.
export interface Land {
  cities: XY[][];
  roads: { line: XY[]; end: string }[];
  rivers: XY[][];
  monasteries: XY[][];
  gardens: XY[][];
  arms: XY[];
  // Where figures may stand: trees keep away.
  spots: XY[];
  marks: LandMark[];
}

export function landOf(type: TileType, rotation: number): Land {
  const turned = (p: XY): XY => {
    const q = rotatedPoint(p, rotation);
    return { x: q.x * 100, y: q.y * 100 };
  };
  const land: Land = { cities: [], roads: [], rivers: [], monasteries: [], gardens: [], arms: [], spots: [], marks: [] };
  for (const segment of type.segments) {
    const areas = segment.areas.map((area) => area.points.map(turned));
    const paths = segment.paths.map((path) => path.points.map(turned));
    if (segment.kind === SegmentKind.CITY) land.cities.push(...areas);
    if (segment.kind === SegmentKind.ROAD) {
      land.roads.push(...paths.map((line) => ({ line, end: segment.roadEnd })));
    }
    if (segment.kind === SegmentKind.RIVER) land.rivers.push(...paths);
    if (segment.kind === SegmentKind.MONASTERY || segment.kind === SegmentKind.TEMPLE) {
      land.monasteries.push(...areas);
    }
    if (segment.kind === SegmentKind.GARDEN) land.gardens.push(...areas);
    land.arms.push(...segment.coatOfArmsSpots.map(turned));
    if (!segment.spot) continue;
    const near = turned(segment.spot);
    land.spots.push(near);
    for (const [name, count] of Object.entries(segment.marks)) {
      land.marks.push({ name, count, near, inCity: segment.kind === SegmentKind.CITY });
    }
  }
  if (type.gingerbread) land.marks.push({ name: "gingerbread", count: 1, near: { x: 50, y: 50 }, inCity: land.cities.length > 0 });
  return land;
}

// Points of a region, at least `gap` apart, told by `free`.
export function scatter(
  random: () => number,
  tries: number,
  most: number,
  gap: number,
  free: (p: XY) => boolean,
): XY[] {
  const found: XY[] = [];
  for (let i = 0; i < tries && found.length < most; ++i) {
    const p = { x: 4 + random() * 92, y: 4 + random() * 92 };
    if (free(p) && found.every((q) => distance(p, q) >= gap)) found.push(p);
  }
  return found.sort((a, b) => a.y - b.y);
}

export const toRoads = (land: Land, p: XY): number =>
  Math.min(
    Infinity,
    ...land.roads.map(({ line }) => distanceToLine(line, p) - ROAD_HALF),
    ...land.rivers.map((line) => distanceToLine(line, p) - RIVER_HALF),
  );

export const toPlots = (land: Land, p: XY): number =>
  Math.min(
    Infinity,
    ...[...land.cities, ...land.monasteries, ...land.gardens].map((area) =>
      inside(area, p) ? -distanceToOutline(area, p) : distanceToOutline(area, p),
    ),
  );

export const openField = (land: Land, p: XY): number => Math.min(toRoads(land, p), toPlots(land, p));

export const border = (p: XY): number => Math.min(p.x, p.y, 100 - p.x, 100 - p.y);
