// Goods that a city trades in, as small signs: on tiles, and as tokens beside a player. Pure.
import { circleD, ellipseD, rectD } from "./shapes";
import type { XY } from "../model/grid";

export const GOODS = ["wine", "grain", "cloth"] as const;
export type Goods = (typeof GOODS)[number];

// The parts of a sign around that point, about 12 wide: class and path, the lowest first.
export const goodsSign = (goods: Goods, { x, y }: XY): readonly (readonly [string, string])[] => SIGNS[goods](x, y);

const SIGNS: Record<Goods, (x: number, y: number) => readonly (readonly [string, string])[]> = {
  // A bunch of grapes.
  wine: (x, y) => [
    ["vine", `M${x} ${y - 3.6}q0.6 -2.6 2.8 -3.2M${x} ${y - 4}q-3.4 -2.4 -4.8 0.4q2.4 1.6 4.8 -0.4`],
    ["grapes", [[-3.2, -2], [0, -2.2], [3.2, -2], [-1.7, 0.9], [1.7, 0.9], [0, 3.8]].map(([dx, dy]) => circleD(x + dx!, y + dy!, 2)).join("")],
  ],
  // A sheaf.
  grain: (x, y) => [
    ["stalk", `M${x - 2.6} ${y + 5.4}L${x + 3.4} ${y - 4}M${x} ${y + 5.4}V${y - 5}M${x + 2.6} ${y + 5.4}L${x - 3.4} ${y - 4}`],
    ["ear", ellipseD(x, y - 5, 1.5, 2.8) + ellipseD(x - 3.6, y - 4, 1.5, 2.6) + ellipseD(x + 3.6, y - 4, 1.5, 2.6)],
    ["stalk", `M${x - 2} ${y + 1.4}H${x + 2}`],
  ],
  // A bale with its roll's end.
  cloth: (x, y) => [
    ["cloth", rectD(x - 5.2, y - 3.4, 9, 6.8) + ellipseD(x - 5.2, y, 1.8, 3.4)],
    ["cloth-end", ellipseD(x + 3.8, y, 1.8, 3.4)],
    ["cloth-line", `M${x - 2.4} ${y - 3.4}v6.8M${x + 0.6} ${y - 3.4}v6.8`],
  ],
};
