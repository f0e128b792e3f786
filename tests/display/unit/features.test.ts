import { describe, expect, it } from "vitest";
import { SegmentKind } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { citiesBeside, featureAt } from "../../../services/display/src/model/features";
import { glowOf } from "../../../services/display/src/draw/glow";
import { inside } from "../../../services/display/src/draw/shapes";
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
  it("finds the completed cities beside a field, each once", () => {
    // Above the road of the left tile: its city is complete with the turned one, the right one is open.
    const field = look(0, 0, 0.9, 0.35);
    expect(citiesBeside(field!, tiles, types).map((city) => city.cells.map((c) => `${c.x},${c.y}`).sort())).toEqual([["0,-1", "0,0"]]);
    // Below it there is none: that tile's city lies beyond its own road.
    expect(citiesBeside(look(0, 0, 0.5, 0.85)!, tiles, types)).toEqual([]);
  });
  it("lights the feature's own land, as its tiles lie", () => {
    const inGlow = (feature: ReturnType<typeof look>, x: number, y: number) => {
      const rings = glowOf(feature!.places, tiles, types)
        .split("M")
        .filter(Boolean)
        .map((ring) => ring.replace("Z", "").split("L").map((p) => ({ x: Number(p.split(" ")[0]), y: Number(p.split(" ")[1]) })));
      return rings.filter((ring) => inside(ring, { x, y })).length % 2 === 1;
    };
    const road = look(0, 0, 0.5, 0.5);
    expect([inGlow(road, 50, 50), inGlow(road, 150, 50), inGlow(road, 50, 80), inGlow(road, 50, 10)]).toEqual([true, true, false, false]);
    // The turned tile north of it: its city lies at its south edge.
    const city = look(0, 0, 0.5, 0.1);
    expect([inGlow(city, 50, 10), inGlow(city, 50, -10), inGlow(city, 50, -90), inGlow(city, 50, 50)]).toEqual([true, true, false, false]);
    const field = look(0, 0, 0.5, 0.85);
    expect([inGlow(field, 50, 85), inGlow(field, 150, 85), inGlow(field, 50, 30)]).toEqual([true, true, false]);
  });
  it("knows nothing beside the board", () => {
    expect(look(5, 5, 0.5, 0.5)).toBeUndefined();
  });
});
