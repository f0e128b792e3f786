// What people built on a tile: cities with walls and houses, gates, villages,
// monasteries and gardens.
import type { XY } from "../model/grid";
import {
  along,
  centreOf,
  circleD,
  distance,
  distanceToLine,
  ellipseD,
  innerRuns,
  inside,
  lengthOf,
  lineD,
  outlineD,
  polygonD,
  rectD,
} from "./shapes";
import type { Sheet } from "./sheet";
import { border, scatter, toPlots, toRoads, type Land } from "./tile_land";

export function drawCity(sheet: Sheet, outline: XY[], land: Land, random: () => number): void {
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
export function drawGates(sheet: Sheet, land: Land): void {
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

export function drawMonastery(sheet: Sheet, plot: XY[]): void {
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

export function drawGarden(sheet: Sheet, plot: XY[]): void {
  const { x, y } = centreOf(plot);
  sheet.layer("hedge", "bed", "furrow", "flower", "flower-b");
  sheet.add("bed", outlineD(plot));
  sheet.add("hedge", outlineD(plot));
  for (const [dx, dy, i] of [[-4, -4, 0], [4, -4, 1], [0, 0, 0], [-4, 4, 1], [4, 4, 0], [-6, 0, 0], [6, 0, 1]] as const) {
    sheet.add(i ? "flower-b" : "flower", circleD(x + dx, y + dy, 1.7));
  }
}

// Where roads end among fields: a hamlet around a small square.
export function drawVillages(sheet: Sheet, land: Land): void {
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
