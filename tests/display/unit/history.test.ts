import { describe, expect, it } from "vitest";
import { apart, beginningOf, duringFinalScoring, History, scoreCurves, sideBySide } from "../../../services/display/src/model/history";
import { sheetOf } from "../../../services/display/src/model/sheet";
import { viewOf } from "../../../services/display/src/model/view";
import { create } from "@bufbuild/protobuf";
import { ScoreItemSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { event, figure, player, state, tile } from "./make";

const item = (turn: number, colour: string, points: number, kind = "road", reason = "because") =>
  create(ScoreItemSchema, { turn, colour, points, kind, reason });
const turn = (n: number) =>
  event(BigInt(n + 1), {
    what: { case: "turnPlayed", value: { turn: n, tile: tile(n, n, 0) } },
    players: [player("red", n)],
    toMove: "red",
  });

describe("the beginning of a game", () => {
  it("has only the start tile, the whole stack and full supplies", () => {
    const late = viewOf(
      state({ turn: 2, tiles: [tile(0, 0, 0, "", "B.D"), tile(1, 1, 0), tile(2, 2, 0)], figures: [figure("red", 1, 0)], players: [player("red", 9, 6), player("blue", 2)] }),
    );
    const first = beginningOf(late);
    expect(first.tiles).toHaveLength(1);
    expect(first.tilesLeft["B.U"]).toBe(10);
    expect(first.players.map((p) => [p.score, p.supply])).toEqual([[0, 7], [0, 7]]);
    expect(first.last).toBeUndefined();
  });
});

describe("history", () => {
  it("holds a moment for every turn", () => {
    const history = new History(beginningOf(viewOf(state())));
    [1, 2, 3].forEach((n) => history.add(turn(n)));
    history.add(turn(3));
    expect(history.moments.map((m) => m.turn)).toEqual([0, 1, 2, 3]);
    expect(history.moments.map((m) => m.view.tiles.length)).toEqual([1, 2, 3, 4]);
    expect(history.eventNumber).toBe(4n);
  });
  it("forgets what was taken back, and keeps the beginning", () => {
    const history = new History(beginningOf(viewOf(state())));
    [1, 2].forEach((n) => history.add(turn(n)));
    const back = (number: bigint, turns: number) =>
      event(number, { what: { case: "revised", value: { reason: "undo", state: state({ turn: turns, tiles: [tile(0, 0, 0), ...(turns ? [tile(1, 1, 0)] : [])] }) } } });
    history.add(back(4n, 1));
    expect(history.moments.map((m) => m.turn)).toEqual([0, 1]);
    history.add(back(5n, 0));
    expect(history.moments.map((m) => m.turn)).toEqual([0]);
  });
});

describe("scores over time", () => {
  const items = [item(1, "red", 3), item(3, "blue", 8, "city"), item(0, "red", 2, "city.incomplete")];
  it("rise at the turn that scored, the final scoring one step later", () => {
    const [red, blue] = scoreCurves([player("red"), player("blue")] as never, items, 3);
    expect(red?.points).toEqual([0, 3, 3, 3, 5]);
    expect(blue?.points).toEqual([0, 0, 0, 8, 8]);
  });
  it("are put on a sheet by what they were for", () => {
    expect(sheetOf([player("red"), player("blue")] as never, items)).toEqual([
      { kind: "city", points: [2, 8] },
      { kind: "road", points: [3, 0] },
    ]);
  });
  it("grow item by item in the final scoring", () => {
    const finals = [item(0, "red", 2), item(0, "blue", 5)];
    const view = viewOf(state({ players: [player("red", 12), player("blue", 25)], scoreItems: finals }));
    const scores = (shown: number) => duringFinalScoring(view, finals, shown).players.map((p) => p.score);
    expect([scores(0), scores(1), scores(2)]).toEqual([[10, 20], [12, 20], [12, 25]]);
  });
});

describe("equal scores in the chart", () => {
  it("lie beside each other where they are equal, and in their place elsewhere", () => {
    expect(sideBySide([[0, 4], [0, 3], [0, 4]])).toEqual([[-1, -0.5], [0, 0], [1, 0.5]]);
  });
  it("have marks that are all in sight", () => {
    expect(apart([50, 50, 50], 20, 10, 200)).toEqual([50, 70, 90]);
    expect(apart([190, 195, 60], 20, 10, 200)).toEqual([180, 200, 60]);
    expect(apart([10, 10], 20, 10, 200)).toEqual([10, 30]);
  });
});
