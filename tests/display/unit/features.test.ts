import { describe, expect, it } from "vitest";
import { SegmentKind } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { featureAt } from "../../../services/display/src/model/features";
import { figure, startTile, state } from "./make";

const types = new Map([["B.D", startTile()]]);
const at = (x: number, y: number, rotation: number) => ({ cell: { x, y }, tile: "B.D", rotation, turn: 1, colour: "red" });

describe("the feature under a finger", () => {
  // Two start tiles side by side: one road, the fields above and below it, two cities apart.
  const { tiles } = state({ tiles: [at(0, 0, 0), at(1, 0, 0), at(0, 1, 2), at(0, -1, 2)] });
  const { figures } = state({ figures: [figure("blue", 1, 0, 1), figure("red", 1, 0, 0), figure("red", 0, -1, 0)] });
  const look = (x: number, y: number, px: number, py: number) => featureAt(tiles, figures, types, { x, y }, { x: px, y: py });
  const cells = (x: number, y: number, px: number, py: number) =>
    look(x, y, px, py)?.cells.map((c) => `${c.x},${c.y}`).sort();

  it("joins roads across an edge and names who stands on them", () => {
    const road = look(0, 0, 0.5, 0.5);
    expect(road?.kind).toBe(SegmentKind.ROAD);
    expect(cells(0, 0, 0.5, 0.5)).toEqual(["0,0", "1,0"]);
    expect(road?.figures.map((f) => f.colour)).toEqual(["blue"]);
  });
  it("joins cities through turned tiles only where they meet", () => {
    expect(cells(0, 0, 0.5, 0.1)).toEqual(["0,-1", "0,0"]);
    expect(look(0, 0, 0.5, 0.1)?.figures.map((f) => f.colour)).toEqual(["red"]);
    expect(cells(1, 0, 0.5, 0.1)).toEqual(["1,0"]);
  });
  it("keeps the fields on both sides of a road apart", () => {
    expect(look(0, 0, 0.5, 0.85)?.kind).toBe(SegmentKind.FIELD);
    expect(cells(0, 0, 0.5, 0.85)).toEqual(["0,0", "0,1", "1,0"]);
    expect(cells(0, 0, 0.9, 0.35)).toEqual(["0,0", "1,0"]);
  });
  it("knows nothing beside the board", () => {
    expect(look(5, 5, 0.5, 0.5)).toBeUndefined();
  });
});
