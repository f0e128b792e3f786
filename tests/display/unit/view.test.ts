import { describe, expect, it } from "vitest";
import { GamePhase, Severity } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { fold, tilesLeftTotal, viewOf } from "../../../services/display/src/model/view";
import { cell, event, figure, player, state, tile } from "./make";

const played = (turn: number, x: number, y: number, more = {}) => ({
  what: { case: "turnPlayed" as const, value: { turn, tile: tile(turn, x, y), ...more } },
  players: [player("red", 3), player("blue", 0, 6)],
  toMove: "blue",
});

describe("a view of a state", () => {
  it("knows the last tile by its turn, not by its place in the list", () => {
    const view = viewOf(state({ turn: 2, tiles: [tile(2, 2, 0), tile(0, 0, 0), tile(1, 1, 0)] }));
    expect(view.last?.tile.cell).toMatchObject(cell(2, 0));
  });
  it("has no last move while only the start tile lies", () => {
    expect(viewOf(state()).last).toBeUndefined();
  });
  it("names everybody with the most points as winners of an ended game", () => {
    const players = [player("red", 5), player("blue", 9), player("green", 9)];
    expect(viewOf(state({ phase: GamePhase.ENDED, players })).winners).toEqual(["blue", "green"]);
  });
});

describe("folding", () => {
  it("lays a tile, takes it from the stack and takes over players and who is to move", () => {
    const view = fold(viewOf(state()), event(2n, played(1, 1, 0, { deployed: figure("red", 1, 0) })));
    expect(view.tiles).toHaveLength(2);
    expect(view.figures).toHaveLength(1);
    expect(view.tilesLeft["B.U"]).toBe(7);
    expect(tilesLeftTotal(view)).toBe(16);
    expect(view.players[0]?.score).toBe(3);
    expect(view.toMove).toBe("blue");
    expect(view.eventNumber).toBe(2n);
  });
  it("takes home exactly the figures that are named", () => {
    const before = viewOf(state({ figures: [figure("red", 0, 0, 1), figure("red", 0, 0, 2), figure("blue", 0, 0, 1)] }));
    const view = fold(before, event(2n, played(1, 1, 0, { returned: [figure("red", 0, 0, 1)] })));
    expect(view.figures.map((f) => `${f.colour}${f.segment}`)).toEqual(["red2", "blue1"]);
  });
  it("does not stumble over a figure that came home at once", () => {
    const view = fold(viewOf(state()), event(2n, played(1, 1, 0, { returned: [figure("red", 1, 0)] })));
    expect(view.figures).toEqual([]);
  });
  it("never changes the view it was given", () => {
    const before = viewOf(state());
    const copy = structuredClone({ ...before });
    fold(before, event(2n, played(1, 1, 0, { deployed: figure("red", 1, 0) })));
    expect(structuredClone({ ...before })).toEqual(copy);
  });
  it("skips events that it holds already", () => {
    const before = viewOf(state({ eventNumber: 5n }));
    expect(fold(before, event(5n, played(1, 1, 0)))).toBe(before);
  });
  it("raises, replaces and clears findings", () => {
    const raised = (number: bigint, text: string) =>
      event(number, { what: { case: "findingRaised", value: { id: 4, code: "edge-mismatch", severity: Severity.ILLEGAL, text } } });
    let view = fold(viewOf(state()), raised(2n, "one"));
    view = fold(view, raised(3n, "two"));
    expect(view.findings.map((f) => f.text)).toEqual(["two"]);
    view = fold(view, event(4n, { what: { case: "findingCleared", value: { id: 4 } } }));
    expect(view.findings).toEqual([]);
  });
  it("marks a concluded deployment, keeps it over a revision, and tells the revision once", () => {
    let view = fold(viewOf(state()), event(2n, played(1, 1, 0, { deployment: { segment: 0, inferred: true } })));
    expect(view.last?.inferred).toBe(true);
    const revised = state({ turn: 1, tiles: [tile(0, 0, 0), tile(1, 1, 0)], eventNumber: 3n });
    view = fold(view, event(3n, { what: { case: "revised", value: { reason: "corrected", state: revised } } }));
    expect(view.revision).toBe("corrected");
    expect(view.last?.inferred).toBe(true);
    view = fold(view, event(4n, played(2, 2, 0)));
    expect(view.revision).toBeUndefined();
  });
  it("ends the game: final items at turn 0, winners, nobody to move", () => {
    const view = fold(
      viewOf(state()),
      event(2n, { what: { case: "ended", value: { finalItems: [{ colour: "red", points: 3, kind: "field" }], winners: ["red"] } }, players: [player("red", 3)], toMove: "" }),
    );
    expect(view.phase).toBe(GamePhase.ENDED);
    expect(view.winners).toEqual(["red"]);
    expect(view.scoreItems.at(-1)?.turn).toBe(0);
    expect(view.toMove).toBe("");
  });
  it("goes on after an event of a kind it does not know", () => {
    const view = fold(viewOf(state()), event(2n, { players: [player("red", 1)], toMove: "red" }));
    expect(view.eventNumber).toBe(2n);
    expect(view.players[0]?.score).toBe(1);
  });

  it("holds questions until they are closed", () => {
    const asked = (id: number) => event(BigInt(id + 1), { what: { case: "questionAsked", value: { id, text: "Which?", answers: [{ text: "a" }, { text: "b" }] } } });
    const one = fold(viewOf(state()), asked(1));
    const two = fold(one, asked(2));
    expect(two.questions.map((q) => q.id)).toEqual([1, 2]);
    expect(fold(two, event(4n, { what: { case: "questionClosed", value: { id: 1 } } })).questions.map((q) => q.id)).toEqual([2]);
    expect(fold(two, event(4n, { what: { case: "ended", value: {} } })).questions).toEqual([]);
    expect(viewOf(state({ questions: [{ id: 7 }] })).questions.map((q) => q.id)).toEqual([7]);
  });
});
