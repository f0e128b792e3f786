import { describe, expect, it } from "vitest";
import { qrOf } from "../../../services/display/src/draw/qr";

// Read back by an independent reader (jsQR 1.4) when it was written down.
const KNOWN = [
  "#######..#.##.#######",
  "#.....#..###..#.....#",
  "#.###.#.##.##.#.###.#",
  "#.###.#..#.#..#.###.#",
  "#.###.#...#.#.#.###.#",
  "#.....#.....#.#.....#",
  "#######.#.#.#.#######",
  "........##.##........",
  "###.########.##...#..",
  "..####.###...#.##...#",
  "#.#...##.#..#####.###",
  ".....#..##...#..#..#.",
  ".##...#..#..#..#.#...",
  "........#.##..###..##",
  "#######.#.##....#.###",
  "#.....#.#####...#...#",
  "#.###.#.##.#...#.#...",
  "#.###.#..###.#.###.#.",
  "#.###.#.##..#...#.#.#",
  "#.....#.##..##.###.#.",
  "#######.#..#.....#.##",
];

describe("QR codes", () => {
  it("draw a short address as other readers read it", () => {
    expect(qrOf("http://a.b/")?.map((row) => row.map((dark) => (dark ? "#" : ".")).join(""))).toEqual(KNOWN);
  });
  it("grow with the text, up to what they hold", () => {
    expect(qrOf("x".repeat(17))?.length).toBe(21);
    expect(qrOf("x".repeat(18))?.length).toBe(25);
    expect(qrOf("x".repeat(106))?.length).toBe(37);
    expect(qrOf("x".repeat(107))).toBeUndefined();
    // By bytes, not by letters.
    expect(qrOf("ü".repeat(9))?.length).toBe(25);
  });
});
