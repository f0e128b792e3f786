import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ListTileSetsResponseSchema } from "../../../services/display/src/gen/tilewarden/v1/query_pb";
import {
  additionsFor,
  isRecognised,
  firstPlan,
  offeredRules,
  recognisedBox,
  requestOf,
  seatsOf,
  ruleValue,
  withAddition,
  withBox,
  withRecognised,
  withRule,
} from "../../../services/display/src/model/new_game";

const sets = create(ListTileSetsResponseSchema, {
  tileSets: [
    { id: "base.c1", preset: "c1" },
    { id: "base.c2", preset: "c2" },
    { id: "winter", preset: "c2" },
    { id: "ark" },
    { id: "river1.c1", addition: true },
    { id: "river1.c2", addition: true },
    { id: "gingerbread", addition: true },
    { id: "cutcassonne", addition: true },
    { id: "inns.c1", addition: true },
    { id: "traders.c1", addition: true },
  ],
  presets: [
    { name: "c1", rules: { farmers: "true", farm_scoring: "third" } },
    { name: "c2", rules: { farmers: "true", farm_scoring: "third" } },
    { name: "ark-1", rules: { ark: "first" } },
  ],
});
const plan = withBox(firstPlan, sets, "base.c1");

describe("a game about to begin", () => {
  it("takes the rules of its box, and drops additions that the box cannot have", () => {
    expect(plan.preset).toBe("c1");
    expect(additionsFor(sets, "base.c1").map((set) => set.id)).toEqual(["river1.c1", "cutcassonne", "inns.c1", "traders.c1"]);
    expect(additionsFor(sets, "ark")).toEqual([]);
    expect(additionsFor(sets, "winter").map((set) => set.id)).toEqual(["gingerbread"]);
    const rivers = withAddition(plan, "river1.c1", true);
    expect(rivers.additions).toEqual(["river1.c1"]);
    expect(withBox(rivers, sets, "base.c2").additions).toEqual([]);
    expect(withBox(plan, sets, "ark").preset).toBe("ark-1");
  });
  it("plays boxes with figures of their own before the camera, too, with the rules that come with their tiles", () => {
    const inns = withAddition({ ...plan, begun: true }, "inns.c1", true);
    expect(ruleValue(inns, sets, "large_followers")).toBe("1");
    expect(inns.rules).toEqual({});
    expect(requestOf(inns, "1")).toMatchObject({ byHand: false, begun: true });
    expect(requestOf({ ...inns, byHand: true }, "1")).toMatchObject({ byHand: true, placeStartTile: true, begun: false });
  });
  it("offers only options that the box has a use for", () => {
    const names = (p: typeof plan) => offeredRules(p).flatMap((group) => group.rules.map((rule) => rule.name));
    expect(names(plan)).toContain("farmers");
    expect(names(plan)).not.toContain("river");
    expect(names(plan)).not.toContain("abbot");
    expect(names(withAddition(plan, "river1.c1", true))).toContain("river");
    expect(names(withBox(plan, sets, "base.c2"))).toContain("abbot");
  });
  it("remembers only what differs from the edition", () => {
    const changed = withRule(plan, sets, "farmers", "false");
    expect(changed.rules).toEqual({ farmers: "false" });
    expect(ruleValue(changed, sets, "farmers")).toBe("false");
    expect(ruleValue(plan, sets, "farm_scoring")).toBe("third");
    expect(withRule(changed, sets, "farmers", "true").rules).toEqual({});
  });
  it("plays the Gingerbread Man when his tiles are in, and not without them", () => {
    const winter = withAddition(withBox(plan, sets, "winter"), "gingerbread", true);
    expect(ruleValue(winter, sets, "gingerbread")).toBe("true");
    expect(winter.rules).toEqual({});
    const without = withRule(winter, sets, "gingerbread", "false");
    expect(without.rules).toEqual({ gingerbread: "false" });
    expect(withAddition(without, "gingerbread", false).rules).toEqual({});
  });
  it("lays one river, or The River and The River II together", () => {
    const both = withAddition(withAddition(plan, "river1.c1", true), "river2.c1", true);
    expect(both.additions).toEqual(["river1.c1", "river2.c1"]);
    expect(withAddition(both, "river.20ae", true).additions).toEqual(["river.20ae"]);
  });
  it("begins with the box that the camera reads, and knows when another was chosen", () => {
    const reading = (tileSet: string) => create(ListTileSetsResponseSchema, { tileSets: sets.tileSets, presets: sets.presets, recognised: { tileSet } });
    const seen = reading("base.c2+river1.c2");
    const taken = withRecognised(plan, seen);
    expect(taken).toMatchObject({ box: "base.c2", additions: ["river1.c2"], preset: "c2" });
    expect(isRecognised(taken, seen)).toBe(true);
    expect(isRecognised(withAddition(taken, "river1.c2", false), seen)).toBe(false);
    expect(isRecognised(withBox(taken, seen, "base.c1"), seen)).toBe(false);
    // No camera, a box of another service, or an addition that goes with another box.
    expect(recognisedBox(sets)).toBeUndefined();
    expect(withRecognised(plan, reading("base.c9"))).toBe(plan);
    expect(recognisedBox(reading("base.c1+river1.c2"))).toEqual({ box: "base.c1", additions: [] });
  });
  it("seats who has figures on the table, by the names of before", () => {
    expect(seatsOf(["blue", "purple", "red"], new Map([["red", "Anna"]]))).toEqual([
      { colour: "blue", name: "" },
      { colour: "red", name: "Anna" },
    ]);
  });
  it("lays the start tile itself where no camera sees one", () => {
    expect(requestOf({ ...plan, startTile: false, byHand: true }, "id")).toMatchObject({ placeStartTile: true, byHand: true });
    expect(requestOf({ ...plan, startTile: false }, "id")).toMatchObject({ placeStartTile: false, byHand: false });
  });
  it("asks for exactly that", () => {
    const request = requestOf({ ...withAddition(plan, "river1.c1", true), name: " Club ", rules: { farmers: "false" } }, "id");
    expect(request).toMatchObject({ requestId: "id", name: "Club", tileSet: "base.c1+river1.c1", preset: "c1", rules: { farmers: "false" }, placeStartTile: true });
    expect(request.players.map((p) => p.colour)).toEqual(["red", "blue"]);
  });
});
