// Our own drawing of a tile, from its segments alone. The land is turned with
// the tile; houses, trees and towers stand upright, so that the board reads like
// one picture. Pure: the same type, rotation and seed give the same drawing.
//
// A drawing is a list of paths with a class each; colours and line widths are
// the style sheet's (styles/tiles.css), so that themes need no new drawing.
// Coordinates: 0 to 100, y south.
import type { TileType } from "../gen/tilewarden/v1/game_pb";
import type { XY } from "../model/grid";
import { along, circleD, distance, distanceToLine, ellipseD, lineD, polygonD, randomFrom, rectD } from "./shapes";
import { Sheet, type Stroke } from "./sheet";
import { drawCity, drawGarden, drawGates, drawMonastery, drawVillages } from "./tile_buildings";
import { drawMarks } from "./tile_marks";
import { border, landOf, openField, scatter, type Land } from "./tile_land";

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
  drawMarks(sheet, land);
  sheet.layer("arms-shadow", "arms-field", "arms-charge", "arms-rim");
  land.arms.forEach((at) => drawArms(sheet, at));
  return sheet.done();
}

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
