import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { PlayerSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { stakesOf } from "../../../services/display/src/model/stakes";

const players = (red: number, blue: number) => [
  create(PlayerSchema, { colour: "red", liveScore: red }),
  create(PlayerSchema, { colour: "blue", liveScore: blue }),
];

describe("what hangs on a question", () => {
  it("is by how much the answers differ, for each player", () => {
    expect(stakesOf([players(14, 9), players(10, 9)])).toEqual([{ colour: "red", points: 4 }]);
    expect(stakesOf([players(14, 9), players(10, 15), players(12, 3)])).toEqual([
      { colour: "blue", points: 12 },
      { colour: "red", points: 4 },
    ]);
  });
  it("is nothing where all answers are worth the same, or none is known", () => {
    expect(stakesOf([players(3, 3), players(3, 3)])).toEqual([]);
    expect(stakesOf([])).toEqual([]);
  });
});
