import { describe, expect, it } from "vitest";
import { shapeOf } from "../../../services/display/src/draw/figures";
import { drawTile } from "../../../services/display/src/draw/tile_art";
import { FigureKind } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { startTile } from "./make";

const KINDS = [FigureKind.FOLLOWER, FigureKind.ABBOT, FigureKind.PROPHET, FigureKind.ARK, FigureKind.GINGERBREAD_MAN, FigureKind.LARGE_FOLLOWER, FigureKind.BUILDER, FigureKind.PIG];

describe("figures", () => {
  it("each have a drawing of their own, within their place", () => {
    expect(new Set(KINDS.map((kind) => shapeOf(kind).outline)).size).toBe(KINDS.length);
    for (const kind of KINDS) {
      const { outline, symbol, className } = shapeOf(kind);
      const numbers = outline.match(/-?\d+(\.\d+)?/g)!.map(Number);
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-41);
      expect(Math.max(...numbers)).toBeLessThanOrEqual(21);
      // A player's symbol, or a colour of its own.
      expect(symbol === undefined).toBe(className !== undefined);
    }
  });
});

describe("marks of tiles", () => {
  const classes = (name: string, count = 1) => {
    const type = startTile();
    type.segments[2]!.marks[name] = count;
    return drawTile(type, 1, 7).map(({ className }) => className);
  };
  it("are drawn: pigs, sheep, wolves, inns, oases, scrolls, volcanoes, cathedrals, goods", () => {
    const plain = drawTile(startTile(), 1, 7).map(({ className }) => className);
    for (const [name, drawn] of Object.entries({ pigs: "pig", sheep: "wool", wolf: "wolf", inn: "inn-wall", oasis: "palm", scroll: "scroll", volcano: "lava", cathedral: "cathedral-roof", wine: "grapes", grain: "ear", cloth: "cloth-end" })) {
      expect(plain).not.toContain(drawn);
      expect(classes(name)).toContain(drawn);
    }
    const type = startTile();
    type.gingerbread = true;
    expect(drawTile(type, 0, 7).map(({ className }) => className)).toContain("biscuit");
  });
});
