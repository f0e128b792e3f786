// Our own drawing of a tile, from its segments alone. The land is turned with
// the tile; houses, trees and towers stand upright, so that the board reads like
// one picture. Pure: the same type, rotation and seed give the same drawing.
//
// A drawing is a list of paths with a class each; colours and line widths are
// the style sheet's (styles/tiles.css), so that themes need no new drawing.
// Coordinates: 0 to 100, y south.
import { SegmentKind, type TileType } from "../gen/tilewarden/v1/game_pb";
import { rotatedPoint, type XY } from "../model/grid";
import {
  along,
  centreOf,
  circleD,
  distance,
  distanceToLine,
  distanceToOutline,
  ellipseD,
  innerRuns,
  inside,
  lengthOf,
  lineD,
  outlineD,
  polygonD,
  randomFrom,
  rectD,
} from "./shapes";

export interface Stroke {
  readonly className: string;
  readonly d: string;
}

const ROAD_HALF = 4.5;
const RIVER_HALF = 8;

// Land as it lies, in drawing coordinates.
interface Land {
  cities: XY[][];
  roads: { line: XY[]; end: string }[];
  rivers: XY[][];
  monasteries: XY[][];
  gardens: XY[][];
  arms: XY[];
  // Where figures may stand: trees keep away.
  spots: XY[];
}

function landOf(type: TileType, rotation: number): Land {
  const turned = (p: XY): XY => {
    const q = rotatedPoint(p, rotation);
    return { x: q.x * 100, y: q.y * 100 };
  };
  const land: Land = { cities: [], roads: [], rivers: [], monasteries: [], gardens: [], arms: [], spots: [] };
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
    if (segment.spot) land.spots.push(turned(segment.spot));
  }
  return land;
}

// Collects paths by class, in drawing order.
class Sheet {
  private readonly strokes: { className: string; parts: string[] }[] = [];

  // Starts a new path even when the class was used before.
  layer(...classNames: string[]): void {
    for (const className of classNames) this.strokes.push({ className, parts: [] });
  }
  add(className: string, d: string): void {
    for (let i = this.strokes.length - 1; i >= 0; --i) {
      const stroke = this.strokes[i]!;
      if (stroke.className === className) {
        stroke.parts.push(d);
        return;
      }
    }
    this.strokes.push({ className, parts: [d] });
  }
  done(): Stroke[] {
    return this.strokes
      .filter(({ parts }) => parts.length > 0)
      .map(({ className, parts }) => ({ className, d: parts.join("") }));
  }
}

// Points of a region, at least `gap` apart, told by `free`.
function scatter(
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

export function drawTile(type: TileType, rotation: number, seed: number): Stroke[] {
  const random = randomFrom(seed);
  const land = landOf(type, rotation);
  const sheet = new Sheet();
  drawFields(sheet, land, random);
  drawRivers(sheet, land);
  drawRoads(sheet, land);
  land.cities.forEach((city) => drawCity(sheet, city, land, random));
  drawGates(sheet, land);
  land.monasteries.forEach((plot) => drawMonastery(sheet, plot));
  land.gardens.forEach((plot) => drawGarden(sheet, plot));
  drawVillages(sheet, land);
  drawTrees(sheet, land, random);
  sheet.layer("arms-shadow", "arms-field", "arms-charge", "arms-rim");
  land.arms.forEach((at) => drawArms(sheet, at));
  return sheet.done();
}

const toRoads = (land: Land, p: XY): number =>
  Math.min(
    Infinity,
    ...land.roads.map(({ line }) => distanceToLine(line, p) - ROAD_HALF),
    ...land.rivers.map((line) => distanceToLine(line, p) - RIVER_HALF),
  );

const toPlots = (land: Land, p: XY): number =>
  Math.min(
    Infinity,
    ...[...land.cities, ...land.monasteries, ...land.gardens].map((area) =>
      inside(area, p) ? -distanceToOutline(area, p) : distanceToOutline(area, p),
    ),
  );

const openField = (land: Land, p: XY): number => Math.min(toRoads(land, p), toPlots(land, p));

function drawFields(sheet: Sheet, land: Land, random: () => number): void {
  sheet.add("field", rectD(0, 0, 100, 100));
  sheet.layer("meadow-light", "meadow-dark", "crop", "furrow", "tuft", "flower");
  for (let i = 0; i < 5; ++i) {
    const rx = 12 + random() * 16;
    const ry = 7 + random() * 9;
    const x = rx + random() * (100 - 2 * rx);
    const y = ry + random() * (100 - 2 * ry);
    sheet.add(i % 2 ? "meadow-light" : "meadow-dark", ellipseD(x, y, rx, ry));
  }
  // A ploughed patch where there is room for one.
  if (random() < 0.6) {
    const [at] = scatter(random, 40, 1, 1, (p) => openField(land, p) > 13 && border(p) > 13);
    if (at) {
      const lean = random() < 0.5 ? 5 : -5;
      sheet.add("crop", polygonD(at.x - 10 + lean, at.y - 8, at.x + 10 + lean, at.y - 8, at.x + 10 - lean, at.y + 8, at.x - 10 - lean, at.y + 8));
      for (const offset of [-7, -3.5, 0, 3.5, 7]) {
        sheet.add("furrow", lineD([{ x: at.x + offset + lean * 0.9, y: at.y - 7 }, { x: at.x + offset - lean * 0.9, y: at.y + 7 }]));
      }
    }
  }
  for (const p of scatter(random, 60, 12, 9, (q) => openField(land, q) > 4)) {
    sheet.add("tuft", `M${p.x.toFixed(1)} ${p.y.toFixed(1)}l-1.4 -3M${p.x.toFixed(1)} ${p.y.toFixed(1)}v-3.6M${p.x.toFixed(1)} ${p.y.toFixed(1)}l1.4 -3`);
  }
  for (const p of scatter(random, 12, 3, 10, (q) => openField(land, q) > 4)) {
    sheet.add("flower", circleD(p.x, p.y, 1) + circleD(p.x + 3, p.y + 1.2, 1));
  }
}

const border = (p: XY): number => Math.min(p.x, p.y, 100 - p.x, 100 - p.y);

function drawRivers(sheet: Sheet, land: Land): void {
  sheet.layer("river-bank", "river", "river-wave");
  for (const line of land.rivers) {
    sheet.add("river-bank", lineD(line));
    sheet.add("river", lineD(line));
    for (const share of [0.25, 0.6]) {
      const { at } = along(line, share);
      sheet.add("river-wave", `M${at.x - 3} ${at.y}q1.5 -2 3 0t3 0`);
    }
    const end = line[line.length - 1]!;
    if (border(end) > 8 && land.rivers.length === 1) {
      sheet.add("river-bank", circleD(end.x, end.y, 7));
      sheet.add("river", circleD(end.x, end.y, 6));
    }
  }
}

function drawRoads(sheet: Sheet, land: Land): void {
  sheet.layer("road-edge", "road", "road-track");
  for (const { line } of land.roads) {
    sheet.add("road-edge", lineD(line));
    sheet.add("road", lineD(line));
    sheet.add("road-track", lineD(line));
  }
  // A bridge where a road and a river cross.
  for (const { line } of land.roads) {
    for (const river of land.rivers) {
      for (let share = 0.05; share < 1; share += 0.05) {
        const { at, towards } = along(line, share);
        if (distanceToLine(river, at) > 2.6) continue;
        const side = { x: -towards.y * 6, y: towards.x * 6 };
        for (const s of [1, -1]) {
          sheet.add(
            "bridge",
            lineD([
              { x: at.x + side.x * s - towards.x * 11, y: at.y + side.y * s - towards.y * 11 },
              { x: at.x + side.x * s + towards.x * 11, y: at.y + side.y * s + towards.y * 11 },
            ]),
          );
        }
        break;
      }
    }
  }
}

function drawCity(sheet: Sheet, outline: XY[], land: Land, random: () => number): void {
  const walls = innerRuns(outline);
  sheet.layer("wall-shadow", "city", "city-shade", "lane");
  walls.forEach((wall) => sheet.add("wall-shadow", lineD(wall)));
  sheet.add("city", outlineD(outline));
  const room = (p: XY) => (walls.length > 0 ? Math.min(...walls.map((w) => distanceToLine(w, p))) : 99);
  for (const p of scatter(random, 16, 6, 12, (q) => inside(outline, q) && room(q) > 9)) {
    sheet.add("city-shade", ellipseD(p.x, p.y, 6 + random() * 6, 3 + random() * 3));
  }
  // Far walls first, houses over them, near walls over the houses.
  const far = walls.filter((wall) => centreOf(wall).y < centreOf(outline).y);
  const near = walls.filter((wall) => !far.includes(wall));
  drawWalls(sheet, far, land);
  sheet.layer("house-shadow", "house", "house-side", "roof-a", "roof-a-side", "roof-b", "roof-b-side", "door");
  const houses = scatter(random, 220, 26, 15, (p) => {
    if (!inside(outline, { x: p.x, y: p.y - 3 }) || !inside(outline, { x: p.x, y: p.y + 6 })) return false;
    if (border(p) < 7.5 || room({ x: p.x, y: p.y + 5 }) < 6 || room({ x: p.x, y: p.y - 8 }) < 5) return false;
    if (room({ x: p.x - 6, y: p.y }) < 4 || room({ x: p.x + 6, y: p.y }) < 4) return false;
    return land.arms.every((arms) => distance({ x: p.x, y: p.y - 3 }, arms) > 15);
  });
  houses.forEach((p) => drawHouse(sheet, p, random));
  drawWalls(sheet, near, land);
}

function drawWalls(sheet: Sheet, walls: XY[][], land: Land): void {
  sheet.layer("wall-edge", "wall", "wall-stones", "tower-edge", "tower", "tower-dark", "tower-roof");
  for (const wall of walls) {
    sheet.add("wall-edge", lineD(wall));
    sheet.add("wall", lineD(wall));
    sheet.add("wall-stones", lineD(wall));
    const towers = Math.max(1, Math.round(lengthOf(wall) / 45));
    for (let i = 1; i <= towers; ++i) {
      const { at } = along(wall, (i - 0.5) / towers);
      if (land.arms.every((arms) => distance(arms, at) > 17)) drawTower(sheet, at);
    }
  }
}

function drawTower(sheet: Sheet, { x, y }: XY): void {
  sheet.add("tower-edge", rectD(x - 4.2, y - 8, 8.4, 12));
  sheet.add("tower", rectD(x - 4.2, y - 8, 5.6, 12));
  sheet.add("tower-dark", rectD(x + 1.4, y - 8, 2.8, 12) + rectD(x - 0.9, y - 4, 1.8, 3.6));
  sheet.add("tower-roof", polygonD(x - 5.6, y - 7.4, x, y - 15.5, x + 5.6, y - 7.4));
}

function drawHouse(sheet: Sheet, { x, y }: XY, random: () => number): void {
  const roof = random() < 0.72 ? "roof-a" : "roof-b";
  sheet.add("house-shadow", ellipseD(x + 1.5, y + 5, 7, 2));
  if (random() < 0.45) {
    // Gable to the front.
    const w = 4.4 + random();
    sheet.add("house", rectD(x - w, y - 1, 2 * w, 6));
    sheet.add("door", rectD(x - 1, y + 1.6, 2.2, 3.4));
    sheet.add(roof, polygonD(x - w - 1.2, y - 0.4, x, y - 7.6, x, y - 0.4));
    sheet.add(`${roof}-side`, polygonD(x, y - 7.6, x + w + 1.2, y - 0.4, x, y - 0.4));
  } else {
    // Eaves to the front.
    const w = 5.4 + random() * 1.2;
    sheet.add("house", rectD(x - w, y, 2 * w, 5));
    sheet.add("door", rectD(x - w + 2, y + 1.4, 1.8, 1.8) + rectD(x + w - 4, y + 1.4, 2, 3.6));
    sheet.add(roof, polygonD(x - w - 1, y + 0.6, x - w + 1.6, y - 5.6, x + w - 1.6, y - 5.6, x + w + 1, y + 0.6));
    sheet.add(`${roof}-side`, polygonD(x - w - 1, y + 0.6, x - w - 0.2, y - 1.4, x + w + 0.2, y - 1.4, x + w + 1, y + 0.6));
  }
}

// A road that runs into a city enters through a gate.
function drawGates(sheet: Sheet, land: Land): void {
  sheet.layer("tower-edge", "tower", "gate");
  for (const { line, end } of land.roads) {
    if (end !== "city" || line.length < 2) continue;
    const walls = land.cities.flatMap(innerRuns);
    let at = line[line.length - 1]!;
    let best = Infinity;
    for (let share = 0; share <= 1; share += 0.02) {
      const p = along(line, share).at;
      const d = Math.min(...walls.map((wall) => distanceToLine(wall, p)));
      if (d < best) [best, at] = [d, p];
    }
    sheet.add("tower-edge", rectD(at.x - 8, at.y - 9, 16, 14));
    sheet.add("tower", rectD(at.x - 8, at.y - 9, 16, 14) + [-8, -2.4, 3.2].map((dx) => rectD(at.x + dx, at.y - 12, 4.8, 3.4)).join(""));
    sheet.add("gate", `M${at.x - 3.8} ${at.y + 5}v-6a3.8 3.8 0 0 1 7.6 0v6Z`);
  }
}

function drawMonastery(sheet: Sheet, plot: XY[]): void {
  const { x, y } = centreOf(plot);
  sheet.layer("plot-edge", "plot", "house-shadow", "abbey", "abbey-side", "abbey-roof", "abbey-roof-side", "abbey-window", "abbey-cross");
  sheet.add("plot-edge", outlineD(plot));
  sheet.add("plot", outlineD(plot));
  sheet.add("house-shadow", ellipseD(x + 2, y + 11, 17, 3.2));
  // Nave, with its long roof to the front.
  sheet.add("abbey", rectD(x - 6, y - 1, 19, 12));
  sheet.add("abbey-roof", polygonD(x - 7, y + 0.5, x - 3, y - 9, x + 11, y - 9, x + 14.5, y + 0.5));
  sheet.add("abbey-roof-side", polygonD(x - 7, y + 0.5, x - 6.2, y - 1.6, x + 13.8, y - 1.6, x + 14.5, y + 0.5));
  for (const dx of [0, 5, 10]) {
    sheet.add("abbey-window", `M${x + dx - 1.1} ${y + 8}v-3.2a1.1 1.1 0 0 1 2.2 0v3.2Z`);
  }
  // Tower in front.
  sheet.add("abbey", rectD(x - 14, y - 8, 9, 19));
  sheet.add("abbey-side", rectD(x - 7.4, y - 8, 2.4, 19));
  sheet.add("abbey-roof", polygonD(x - 15.2, y - 7.4, x - 9.5, y - 19, x - 9.5, y - 7.4));
  sheet.add("abbey-roof-side", polygonD(x - 9.5, y - 19, x - 3.8, y - 7.4, x - 9.5, y - 7.4));
  sheet.add("abbey-window", `M${x - 12} ${y + 11}v-4.4a2.2 2.2 0 0 1 4.4 0v4.4Z` + circleD(x - 9.8, y - 2.6, 1.7));
  sheet.add("abbey-cross", `M${x - 9.5} ${y - 24.5}v6M${x - 11.7} ${y - 22.4}h4.4`);
}

function drawGarden(sheet: Sheet, plot: XY[]): void {
  const { x, y } = centreOf(plot);
  sheet.layer("hedge", "bed", "furrow", "flower", "flower-b");
  sheet.add("bed", outlineD(plot));
  sheet.add("hedge", outlineD(plot));
  for (const [dx, dy, i] of [[-4, -4, 0], [4, -4, 1], [0, 0, 0], [-4, 4, 1], [4, 4, 0], [-6, 0, 0], [6, 0, 1]] as const) {
    sheet.add(i ? "flower-b" : "flower", circleD(x + dx, y + dy, 1.7));
  }
}

// Where roads end among fields: a hamlet around a small square.
function drawVillages(sheet: Sheet, land: Land): void {
  const ends = land.roads
    .filter(({ end }) => end === "village" || end === "bushes" || end === "inside" || end === "")
    .map(({ line }) => line[line.length - 1]!)
    .filter((p) => border(p) > 8);
  if (ends.length === 0) return;
  const at = centreOf(ends);
  sheet.layer("square-edge", "square", "house-shadow", "house", "roof-a", "roof-a-side", "roof-b", "roof-b-side", "door");
  sheet.add("square", circleD(at.x, at.y, 8));
  const fixed = [0.1, 0.9, 0.3, 0.2, 0.9, 0.6, 0.5, 0.4, 0.3, 0.8, 0.9, 0.5];
  let k = 0;
  const steady = () => fixed[k++ % fixed.length]!;
  const spots = [
    { x: -12, y: -10 },
    { x: 12, y: -9 },
    { x: -12, y: 11 },
    { x: 12, y: 12 },
  ]
    .map((d) => ({ x: at.x + d.x, y: at.y + d.y }))
    .filter((p) => toRoads(land, p) > 3.5 && toPlots(land, { x: p.x, y: p.y - 6 }) > 3);
  spots.forEach((p) => drawHouse(sheet, p, steady));
}

function drawTrees(sheet: Sheet, land: Land, random: () => number): void {
  sheet.layer("tree-shadow", "trunk", "tree", "tree-light");
  const villages = land.roads.filter(({ end }) => end === "village" || end === "bushes").length > 0;
  const trees = scatter(random, 60, 1 + Math.floor(random() * 5), 9, (p) => {
    if (openField(land, p) < 6 || openField(land, { x: p.x, y: p.y - 8 }) < 3 || border(p) < 5 || p.y < 12) return false;
    if (villages && distance(p, { x: 50, y: 50 }) < 28) return false;
    return land.spots.every((spot) => distance(spot, p) > 13);
  });
  for (const { x, y } of trees) {
    const r = 3.6 + random() * 1.4;
    sheet.add("tree-shadow", ellipseD(x + 1.2, y + 0.6, r, 1.6));
    sheet.add("trunk", rectD(x - 0.7, y - 3, 1.4, 3.4));
    if (random() < 0.5) {
      sheet.add("tree", circleD(x, y - 3 - r * 0.7, r));
      sheet.add("tree-light", circleD(x - r * 0.3, y - 3 - r * 0.95, r * 0.5));
    } else {
      sheet.add("tree", polygonD(x - r, y - 2, x, y - 4 - 2.1 * r, x + r, y - 2));
      sheet.add("tree-light", polygonD(x - r * 0.6, y - 3, x, y - 4 - 2.1 * r, x, y - 3));
    }
  }
}

function drawArms(sheet: Sheet, { x, y }: XY): void {
  const shield = (r: number) =>
    `M${x - r} ${y - r}h${2 * r}v${r * 0.9}c0 ${r * 0.8} ${-r * 0.5} ${r * 1.2} ${-r} ${r * 1.5}c${-r * 0.5} ${-r * 0.3} ${-r} ${-r * 0.7} ${-r} ${-r * 1.5}Z`;
  sheet.add("arms-shadow", shield(8.6));
  sheet.add("arms-field", shield(7.4));
  sheet.add("arms-charge", polygonD(x - 7.4, y + 2.2, x, y - 4.4, x + 7.4, y + 2.2, x + 6.2, y + 5, x, y + 0.6, x - 6.2, y + 5));
  sheet.add("arms-rim", shield(7.4));
}
