// Marks that some rules see: pigs, sheep and wolves of a field, inns and oases of a
// road, scrolls, cathedrals and goods of a city, a volcano, the Gingerbread Man. Small, and beside where a
// figure stands.
import type { XY } from "../model/grid";
import { FigureKind } from "../gen/tilewarden/v1/game_pb";
import { shapeOf } from "./figures";
import { GOODS, goodsSign } from "./goods";
import { circleD, distance, ellipseD, inside, polygonD, rectD } from "./shapes";
import type { Sheet } from "./sheet";
import { border, openField, type Land, type LandMark } from "./tile_land";

const MOST_OF_ONE = 4;

export function drawMarks(sheet: Sheet, land: Land): void {
  sheet.layer("tree-shadow", "pool", "animal-leg", "pig", "wool", "wolf", "animal-head", "scroll", "scroll-line", "inn-wall", "inn-roof", "cathedral", "cathedral-roof", "vine", "grapes", "stalk", "ear", "cloth", "cloth-end", "cloth-line", "palm", "volcano", "lava", "biscuit");
  const taken: XY[] = [...land.spots, ...land.arms];
  for (const mark of land.marks) {
    for (let i = 0; i < Math.min(mark.count, MOST_OF_ONE); ++i) {
      const at = placeFor(mark, land, taken);
      taken.push(at);
      SIGNS[mark.name]?.(sheet, at);
    }
  }
}

// As far from everything as there is room near where the figure stands.
function placeFor(mark: LandMark, land: Land, taken: readonly XY[]): XY {
  let best = mark.near;
  let most = -Infinity;
  for (let i = 0; i < 36; ++i) {
    const angle = (i % 12) * (Math.PI / 6);
    const reach = [14, 20, 27][Math.floor(i / 12)]!;
    const p = { x: mark.near.x + reach * Math.cos(angle), y: mark.near.y + reach * Math.sin(angle) };
    const room = mark.inCity ? (land.cities.some((city) => inside(city, p)) ? 12 : -20) : openField(land, p);
    const free = Math.min(room, border(p) - 7, ...taken.map((other) => distance(other, p) - 6)) - reach / 8;
    if (free > most) [best, most] = [p, free];
  }
  return best;
}

function drawAnimal(sheet: Sheet, coat: string, { x, y }: XY): void {
  sheet.add("tree-shadow", ellipseD(x, y + 3.4, 6, 1.6));
  sheet.add("animal-leg", `M${x - 3} ${y + 1}v2.6M${x - 1} ${y + 1}v2.6M${x + 1.4} ${y + 1}v2.6M${x + 3.4} ${y + 1}v2.6`);
  sheet.add(coat, ellipseD(x, y, 5.2, 3.4));
  sheet.add(coat === "wool" ? "animal-head" : coat, circleD(x + 5, y - 1.6, 2.3));
}

const SIGNS: Record<string, (sheet: Sheet, at: XY) => void> = {
  pigs: (sheet, { x, y }) => {
    drawAnimal(sheet, "pig", { x: x - 4, y: y - 3 });
    drawAnimal(sheet, "pig", { x: x + 4, y: y + 3 });
  },
  sheep: (sheet, at) => drawAnimal(sheet, "wool", at),
  wolf: (sheet, at) => {
    drawAnimal(sheet, "wolf", at);
    sheet.add("wolf", polygonD(at.x + 3.6, at.y - 3, at.x + 4.2, at.y - 6, at.x + 5.4, at.y - 3.4, at.x + 6.6, at.y - 5.6, at.x + 6.6, at.y - 2.4));
  },
  scroll: (sheet, { x, y }) => {
    sheet.add("scroll", rectD(x - 4.6, y - 5.4, 9.2, 10.8) + ellipseD(x, y - 5.4, 5.6, 1.7) + ellipseD(x, y + 5.4, 5.6, 1.7));
    sheet.add("scroll-line", `M${x - 3} ${y - 2.4}h6M${x - 3} ${y}h6M${x - 3} ${y + 2.4}h4`);
  },
  inn: (sheet, { x, y }) => {
    sheet.add("pool", ellipseD(x + 3, y + 3.6, 9, 4.2));
    sheet.add("inn-wall", rectD(x - 5.4, y - 4, 10.8, 7.6));
    sheet.add("inn-roof", polygonD(x - 7, y - 3.6, x - 3.6, y - 9.4, x + 3.6, y - 9.4, x + 7, y - 3.6));
    sheet.add("animal-head", rectD(x - 1.4, y - 0.6, 2.8, 4.2));
  },
  // Two towers, a gable between them, and a window like a rose.
  cathedral: (sheet, { x, y }) => {
    sheet.add("cathedral", rectD(x - 10, y - 7, 5.6, 15) + rectD(x + 4.4, y - 7, 5.6, 15) + polygonD(x - 4.4, y + 8, x - 4.4, y - 3, x, y - 8, x + 4.4, y - 3, x + 4.4, y + 8));
    sheet.add("cathedral-roof", polygonD(x - 11, y - 7, x - 7.2, y - 15, x - 3.4, y - 7) + polygonD(x + 3.4, y - 7, x + 7.2, y - 15, x + 11, y - 7));
    sheet.add("animal-head", circleD(x, y - 1.6, 1.9) + rectD(x - 1.6, y + 3.4, 3.2, 4.6));
  },
  ...Object.fromEntries(
    GOODS.map((goods) => [
      goods,
      (sheet: Sheet, at: XY) => {
        for (const [layer, path] of goodsSign(goods, at)) sheet.add(layer, path);
      },
    ]),
  ),
  oasis: (sheet, { x, y }) => {
    sheet.add("pool", ellipseD(x, y + 3, 7, 3.2));
    sheet.add("palm", `M${x - 2} ${y + 2}q1 -5 0 -9M${x - 2} ${y - 7}q-5 -2 -6 2M${x - 2} ${y - 7}q5 -2 6 2M${x - 2} ${y - 7}q-2 -4 -5 -3M${x - 2} ${y - 7}q2 -4 5 -3`);
  },
  volcano: (sheet, { x, y }) => {
    sheet.add("volcano", polygonD(x - 10, y + 6, x - 3, y - 8, x + 3, y - 8, x + 10, y + 6));
    sheet.add("lava", polygonD(x - 3, y - 8, x + 3, y - 8, x + 1.6, y - 3.4, x, y - 5, x - 1.6, y - 1.6));
  },
  gingerbread: (sheet, { x, y }) => {
    const { outline } = shapeOf(FigureKind.GINGERBREAD_MAN);
    sheet.add("biscuit", scaled(outline, 0.38, { x, y: y + 6 }));
  },
};

// A path of absolute commands, made smaller and put there.
function scaled(path: string, by: number, at: XY): string {
  const shift = (x: string, y: string) => `${(Number(x) * by + at.x).toFixed(1)} ${(Number(y) * by + at.y).toFixed(1)}`;
  return path.replace(/A(\S+) (\S+) (\d) (\d) (\d) (\S+) ([-\d.]+)|([-\d.]+) ([-\d.]+)/g, (_, rx, ry, a, b, c, x, y, px, py) =>
    rx === undefined ? shift(px as string, py as string) : `A${Number(rx) * by} ${Number(ry) * by} ${a} ${b} ${c} ${shift(x as string, y as string)}`,
  );
}
