import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ScoreItemSchema, SegmentKind } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { fedBy } from "../../../services/display/src/model/farms";
import { viewOf } from "../../../services/display/src/model/view";
import { figure, startTile, state } from "./make";

const types = new Map([["B.D", startTile()]]);
const at = (x: number, y: number, rotation: number) => ({ cell: { x, y }, tile: "B.D", rotation, turn: 1, colour: "red" });
// As in the features' test: the field above the road of (0, 0) and (1, 0), and one complete city of (0, 0) and (0, -1).
const board = (rules: Record<string, string> = {}) =>
  viewOf(
    state({
      rules,
      tiles: [at(0, 0, 0), at(1, 0, 0), at(0, 1, 2), at(0, -1, 2)],
      figures: [{ ...figure("red", 0, 0, 2), feature: SegmentKind.FIELD, spot: { x: 0.9, y: 0.35 } }],
    }),
  );
const farm = [{ x: 0, y: 0 }, { x: 1, y: 0 }];
const city = [{ x: 0, y: -1 }, { x: 0, y: 0 }];
const item = (points: number, cells: { x: number; y: number }[], kind = "field", colour = "red") => create(ScoreItemSchema, { colour, points, kind, cells, reason: "because" });
const places = (features: readonly { cells: readonly { x: number; y: number }[] }[] = []) => features.map(({ cells }) => cells.map(({ x, y }) => `${x},${y}`).sort().join(" "));

describe("what a farm's points are for", () => {
  it("is a farm with the cities that it feeds, and what each gives", () => {
    const fed = fedBy(item(3, farm), board(), types);
    expect(places(fed?.farms)).toEqual(["0,0 1,0"]);
    expect(places(fed?.cities)).toEqual(["0,-1 0,0"]);
    expect(fed?.each).toBe(3);
  });
  it("is one city with the farms around it, where the rules pay by city", () => {
    const fed = fedBy(item(4, city), board({ farm_scoring: "first" }), types);
    expect(places(fed?.farms)).toEqual(["0,0 1,0"]);
    expect(places(fed?.cities)).toEqual(["0,-1 0,0"]);
    expect(fed?.each).toBe(4);
  });
  it("is nothing for anything else, or where no such farm lies", () => {
    expect(fedBy(item(3, farm, "road"), board(), types)).toBeUndefined();
    expect(fedBy(item(3, farm, "field", "blue"), board(), types)).toBeUndefined();
    expect(fedBy(item(3, [{ x: 9, y: 9 }]), board(), types)).toBeUndefined();
  });
});
