import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GamePhase, ScoreItemSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { beginningOf, finalItems, History } from "../../../services/display/src/model/history";
import { framesOf, restOf, sceneAt, scriptOf, shownScores, type Part } from "../../../services/display/src/model/replay";
import { viewOf } from "../../../services/display/src/model/view";
import { event, figure, player, state, tile } from "./make";

const item = (turn: number, colour: string, points: number, kind = "road", cells: { x: number; y: number }[] = []) =>
  create(ScoreItemSchema, { turn, colour, points, kind, reason: "because", cells });

// Red sets a figure, blue lays on, red is paid and gets the figure back; then the end.
function script() {
  const history = new History(beginningOf(viewOf(state())));
  const standing = figure("red", 1, 0);
  history.add(event(2n, { what: { case: "turnPlayed", value: { turn: 1, tile: tile(1, 1, 0), deployed: standing } }, players: [player("red", 0, 6), player("blue")] }));
  history.add(event(3n, { what: { case: "turnPlayed", value: { turn: 2, tile: tile(2, 2, 0, "blue") } }, players: [player("red", 0, 6), player("blue")] }));
  history.add(
    event(4n, {
      what: { case: "turnPlayed", value: { turn: 3, tile: tile(3, 3, 0), returned: [standing], scoreItems: [item(3, "red", 4, "road", [{ x: 1, y: 0 }, { x: 2, y: 0 }, { x: 3, y: 0 }])] } },
      players: [player("red", 4), player("blue")],
    }),
  );
  history.add(event(5n, { what: { case: "ended", value: { winners: ["red"], finalItems: [item(0, "blue", 3)] } }, players: [player("red", 4), player("blue", 3)] }));
  return scriptOf(history.moments);
}
const partOf = (parts: readonly Part[], kind: Part["kind"]): Part => parts.find((part) => part.kind === kind)!;

describe("a game as a film", () => {
  it("has a scene for the start, each turn, the final scoring and the winner, one after the other", () => {
    const { scenes, length_ms, bounds, turns } = script();
    expect(scenes.map(({ kind }) => kind)).toEqual(["opening", "turn", "turn", "turn", "final", "closing"]);
    scenes.forEach((scene, i) => expect(scene.from_ms).toBe(scenes.slice(0, i).reduce((sum, one) => sum + one.length_ms, 0)));
    expect(length_ms).toBe(scenes.reduce((sum, one) => sum + one.length_ms, 0));
    expect(bounds).toEqual({ left: 0, top: 0, right: 4, bottom: 1 });
    expect(turns).toBe(3);
  });
  it("finds the scene of a moment, and stays with the last one", () => {
    const film = script();
    for (const [i, { from_ms, length_ms }] of film.scenes.entries()) {
      expect(sceneAt(film, from_ms)).toBe(i);
      expect(sceneAt(film, from_ms + length_ms - 1)).toBe(i);
    }
    expect(sceneAt(film, 1e9)).toBe(film.scenes.length - 1);
  });
  it("lets a tile fly in and rest, a figure step on it, and points rise and go", () => {
    const [, first, , third] = script().scenes;
    const flying = partOf(first!.parts, "tile");
    expect(Math.hypot(flying.pose(0).dx, flying.pose(0).dy)).toBeCloseTo(1.7);
    expect(flying.pose(0).opacity).toBe(0);
    expect(flying.pose(400)).toEqual({ dx: 0, dy: 0, scale: 1, turn: -0, opacity: 1 });
    const steps = partOf(first!.parts, "figure");
    expect(steps.pose(200)).toMatchObject({ opacity: 0, dy: -1 });
    expect(steps.pose(550)).toMatchObject({ opacity: 1, dy: 0 });
    // Back to the supply: it stands until the points are told.
    const leaves = partOf(third!.parts, "figure");
    expect(leaves.pose(0)).toMatchObject({ opacity: 1, dy: 0 });
    expect(leaves.pose(900).opacity).toBe(0);
    const gain = partOf(third!.parts, "gain");
    expect(gain).toMatchObject({ gain: { colour: "red", points: 4 }, cell: { x: 2, y: 0 } });
    expect([gain.pose(0).opacity, gain.pose(800).opacity, gain.pose(1_100).opacity]).toEqual([0, 1, 0]);
    expect(gain.pose(900).dy).toBeLessThan(gain.pose(500).dy);
  });
  it("draws nothing twice: what moves is not on the ground", () => {
    const [, first, , third] = script().scenes;
    expect(first!.ground.tiles).toHaveLength(1);
    expect(first!.ground.figures).toHaveLength(0);
    expect(third!.ground.figures).toHaveLength(0);
    expect(third!.before.figures).toHaveLength(1);
  });
  it("counts the points while they rise, and not before", () => {
    const scene = script().scenes[3]!;
    const score = (ms: number) => shownScores(scene, ms).players[0]!.score;
    expect([score(0), score(1_000)]).toEqual([0, 4]);
  });
  it("shows a figure that is set and paid in one turn", () => {
    const history = new History(beginningOf(viewOf(state())));
    const flash = figure("blue", 1, 0);
    history.add(event(2n, { what: { case: "turnPlayed", value: { turn: 1, tile: tile(1, 1, 0), returned: [flash], scoreItems: [item(1, "blue", 2)] } } }));
    const comes = partOf(scriptOf(history.moments).scenes[1]!.parts, "figure");
    expect([comes.pose(0).opacity, comes.pose(540).opacity, comes.pose(900).opacity]).toEqual([0, 1, 0]);
  });
  it("stands as it comes to rest for those who want no motion, its points beside it", () => {
    for (const part of script().scenes[3]!.parts) {
      expect(restOf(part)).toMatchObject({ dx: 0, scale: 1 });
      if (part.kind === "gain") expect(restOf(part).opacity).toBe(1);
    }
  });
  it("has no more to tell before a game has begun", () => {
    const film = scriptOf([]);
    expect(film).toMatchObject({ scenes: [], length_ms: 0 });
    expect(framesOf(film, 50)).toEqual([]);
  });
});

describe("the film's frames for a file", () => {
  it("last together as long as the film, and what stands still is one frame", () => {
    const film = script();
    const frames = framesOf(film, 50);
    expect(frames.reduce((sum, { shown_ms }) => sum + shown_ms, 0)).toBe(film.length_ms);
    expect(frames.every(({ shown_ms }) => shown_ms % 10 === 0 && shown_ms >= 20)).toBe(true);
    const of = (i: number) => frames.filter(({ scene }) => scene === film.scenes[i]);
    expect(of(0)).toHaveLength(1);
    expect(of(5)).toHaveLength(1);
    expect(of(1).length).toBeGreaterThan(8);
    expect(of(1).length).toBeLessThan(13);
  });
});

describe("the order of the final scoring", () => {
  it("keeps the farms for the end, the largest last", () => {
    const items = [item(0, "red", 9, "field"), item(0, "blue", 2, "city.incomplete"), item(0, "blue", 6, "field"), item(0, "red", 0, "road"), item(3, "red", 4)];
    expect(finalItems(viewOf(state({ phase: GamePhase.ENDED, scoreItems: items }))).map(({ points }) => points)).toEqual([2, 6, 9]);
  });
});
