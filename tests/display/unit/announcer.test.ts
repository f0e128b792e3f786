import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { englishTexts } from "../../../services/display/src/texts/texts";
import type { AnswerSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { fold, viewOf } from "../../../services/display/src/model/view";
import { announcement } from "../../../services/display/src/views/announcer";
import { event, player, state, tile } from "./make";

const before = viewOf(state());
const say = (e: Parameters<typeof fold>[1]) => announcement(before, fold(before, e), englishTexts);

describe("what listeners hear", () => {
  it("tells the turn, its points with the reason, an inferred follower and who is next", () => {
    const words = say(
      event(2n, {
        what: {
          case: "turnPlayed",
          value: {
            turn: 1,
            tile: tile(1, 1, 0),
            deployment: { segment: 0, inferred: true },
            scoreItems: [{ colour: "red", points: 3, kind: "road", reason: "completed road: 3 tiles", turn: 1 }],
          },
        },
        players: [player("red", 3), player("blue")],
        toMove: "blue",
      }),
    );
    expect(words).toContain("Turn 1: Red laid a tile.");
    expect(words).toContain("did not see this follower");
    expect(words).toContain("Red scores 3: completed road: 3 tiles.");
    expect(words).toContain("It’s Blue’s turn.");
  });
  it("tells corrections and the end", () => {
    const revised = event(2n, { what: { case: "revised", value: { reason: "taken back by hand", state: state() } } });
    expect(say(revised)).toContain("The last turn was taken back.");
    const item = { colour: "red", points: -2, kind: "by-hand", reason: "the road was shorter", turn: 1 };
    const changed = event(2n, { what: { case: "revised", value: { reason: item.reason, state: state({ scoreItems: [item] }) } } });
    expect(say(changed)).toContain("-2 points by hand for Red: the road was shorter.");
    const ended = event(2n, { what: { case: "ended", value: { winners: ["red", "blue"] } }, players: [player("red")], toMove: "" });
    expect(say(ended)).toBe("The game is over. Red and Blue won.");
  });
  it("asks what the table asks: a claim in its own words, anything else as the service says it", () => {
    const turn = { colour: "red", tile: "B.U", cell: { x: 1, y: 0 }, rotation: 0 };
    const asked = (answers: MessageInitShape<typeof AnswerSchema>[]) =>
      event(2n, { what: { case: "questionAsked", value: { id: 1, text: "Which way did the Ark go?", answers } } });
    expect(say(asked([{ turn: { ...turn, deployment: { segment: 0 } } }, { turn }]))).toBe("Did Red place a figure on this tile when it was laid?");
    expect(say(asked([{ turn: { ...turn, arkPath: [{ x: 0, y: 0 }] } }, { turn }]))).toBe("Which way did the Ark go?");
    expect(say(asked([{ turn }, { turn: { ...turn, cell: { x: 2, y: 0 } } }]))).toBe("Which of these tiles shows a coat of arms?");
  });
  it("is silent when nothing changed for listeners", () => {
    expect(say(event(2n, { players: [player("red")], toMove: "red" }))).toBe("");
  });
});
