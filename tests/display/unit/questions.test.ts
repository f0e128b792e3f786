import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { FigureKind, QuestionSchema, SegmentKind, TileTypeSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { fold, viewOf } from "../../../services/display/src/model/view";
import { englishTexts, readTexts } from "../../../services/display/src/texts/texts";
import { answerWords, questionWords, undoKey } from "../../../services/display/src/views/words";
import { cell, event, player, state, tile } from "./make";

describe("a question", () => {
  const turn = { tile: "B.U", cell: cell(2, 0), colour: "red" };
  const asked = create(QuestionSchema, {
    id: 1,
    text: "as the service says it",
    answers: [{ text: "Yes", turn: { ...turn, recall: cell(0, 1) } }, { text: "No", turn }],
  });
  const view = viewOf(state({ players: [{ ...player("red"), name: "Anna" }, player("blue")] }));

  it("whether an abbot was called home is asked in the reader's language", async () => {
    const german = await readTexts("de");
    expect(questionWords(englishTexts, view, asked)).toBe("Did Anna take the abbot back in this turn?");
    expect(questionWords(german, view, asked)).toBe("Hat Anna in diesem Zug den Abt zurückgeholt?");
    expect(asked.answers.map((answer) => answerWords(german, new Map(), asked, answer))).toEqual(["Ja", "Nein"]);
  });
  it("whether the game is played with the abbot is asked in the reader's language", async () => {
    const abbot = create(QuestionSchema, { id: 3, text: "as the service says it", playingWith: FigureKind.ABBOT, answers: [{ text: "Yes" }, { text: "No" }] });
    const polish = await readTexts("pl");
    expect(questionWords(englishTexts, view, abbot)).toBe("I see an abbot. Are you playing with the abbot?");
    expect(questionWords(polish, view, abbot)).toBe("Widzę opata. Czy gracie z opatem?");
    expect(abbot.answers.map((answer) => answerWords(englishTexts, new Map(), abbot, answer))).toEqual(["Yes, we play with the abbot", "No"]);
    expect(abbot.answers.map((answer) => answerWords(polish, new Map(), abbot, answer))).toEqual(["Tak, gramy z opatem", "Nie"]);
  });
  it("whether a figure is a prophet is asked in the reader's language", async () => {
    const as = (kind: FigureKind) => ({ turn: { ...turn, deployment: { kind, segment: 0 } } });
    const kind = create(QuestionSchema, { id: 3, answers: [as(FigureKind.FOLLOWER), as(FigureKind.PROPHET)] });
    const spanish = await readTexts("es");
    expect(questionWords(englishTexts, view, kind)).toBe("Is Anna’s figure on this tile a prophet or a follower?");
    expect(kind.answers.map((answer) => answerWords(englishTexts, new Map(), kind, answer))).toEqual(["A follower", "A prophet"]);
    expect(kind.answers.map((answer) => answerWords(spanish, new Map(), kind, answer))).toEqual(["Un seguidor", "Un profeta"]);
  });
  it("whether the game is played with the Gingerbread Man is asked in the reader's language", async () => {
    const man = create(QuestionSchema, { id: 3, text: "as the service says it", playingWith: FigureKind.GINGERBREAD_MAN, answers: [{ text: "Yes" }, { text: "No" }] });
    const german = await readTexts("de");
    expect(questionWords(englishTexts, view, man)).toBe("I see the Gingerbread Man. Are you playing with him?");
    expect(questionWords(german, view, man)).toBe("Ich sehe den Lebkuchenmann. Spielt ihr mit ihm?");
    expect(man.answers.map((answer) => answerWords(german, new Map(), man, answer))).toEqual(["Ja, wir spielen mit dem Lebkuchenmann", "Nein"]);
  });
  it("whether the game is played with the Ark names its editions", async () => {
    const answers = [{ text: "one" }, { text: "two" }, { text: "three" }, { text: "No" }];
    const ark = create(QuestionSchema, { id: 3, text: "as the service says it", playingWith: FigureKind.ARK, answers });
    const prophet = create(QuestionSchema, { id: 3, text: "as the service says it", playingWith: FigureKind.PROPHET, answers });
    const german = await readTexts("de");
    expect(questionWords(englishTexts, view, ark)).toBe("I see the Ark. Are you playing with it?");
    expect(questionWords(englishTexts, view, prophet)).toBe("I see a prophet. Are you playing with the Ark?");
    for (const asked of [ark, prophet]) {
      expect(asked.answers.map((answer) => answerWords(englishTexts, new Map(), asked, answer))).toEqual([
        "Yes, by the first edition", "Yes, by the second edition", "Yes, by the German edition", "No",
      ]);
      expect(asked.answers.map((answer) => answerWords(german, new Map(), asked, answer)).at(-2)).toBe("Ja, nach der deutschen Ausgabe");
      expect(englishTexts.say(undoKey({ undoesAnswer: asked.playingWith, undoesRiver: false }))).toBe("Take back the answer about the Ark");
    }
  });
  it("whose answer changed the rules is what undoing takes back, until a turn is played", () => {
    const answered = viewOf(state({ undoPlayingWith: FigureKind.ABBOT }));
    expect(answered.undoesAnswer).toBe(FigureKind.ABBOT);
    expect(englishTexts.say(undoKey(answered))).toBe("Take back the answer about the abbot");
    expect(fold(answered, event(2n, { what: { case: "turnPlayed", value: { turn: 1, tile: tile(1, 1, 0) } } })).undoesAnswer).toBe(FigureKind.UNSPECIFIED);
    expect(englishTexts.say(undoKey(view))).toBe("Take back the last turn");
  });
  it("whether the game is played with a river names those that it may be", async () => {
    const answers = [{ text: "one", tileSet: "base.c2+river1.c2" }, { text: "both", tileSet: "base.c2+river1.c2+river2.c2" }, { text: "No" }];
    const river = create(QuestionSchema, { id: 5, text: "as the service says it", answers });
    const german = await readTexts("de");
    expect(questionWords(englishTexts, view, river)).toBe("I see a river tile. Are you playing with a river?");
    expect(questionWords(german, view, river)).toBe("Ich sehe ein Flussplättchen. Spielt ihr mit einem Fluss?");
    expect(river.answers.map((answer) => answerWords(englishTexts, new Map(), river, answer))).toEqual(["Yes: The River", "Yes: The River and The River II", "No"]);
    expect(river.answers.map((answer) => answerWords(german, new Map(), river, answer)).at(0)).toBe("Ja: Der Fluss");
    const answered = viewOf(state({ undoRiver: true }));
    expect(englishTexts.say(undoKey(answered))).toBe("Take back the answer about the river");
    expect(fold(answered, event(2n, { what: { case: "turnPlayed", value: { turn: 1, tile: tile(1, 1, 0) } } })).undoesRiver).toBe(false);
  });
  it("about another figure is asked as the service says it", () => {
    const pig = create(QuestionSchema, { id: 4, text: "as the service says it", playingWith: FigureKind.PIG, answers: [{ text: "Yes, we do" }, { text: "No" }] });
    expect(questionWords(englishTexts, view, pig)).toBe("as the service says it");
    expect(pig.answers.map((answer) => answerWords(englishTexts, new Map(), pig, answer))).toEqual(["Yes, we do", "No"]);
  });
  it("whether a follower or a prophet claimed a city names the figure", () => {
    const types = new Map([["B.U", create(TileTypeSchema, { id: "B.U", segments: [{ kind: SegmentKind.CITY }] })]]);
    const claims = [FigureKind.PROPHET, FigureKind.FOLLOWER].map((kind) => ({ turn: { ...turn, deployment: { kind, segment: 0 } } }));
    const claimed = create(QuestionSchema, { id: 3, answers: [...claims, { turn }] });
    expect(claimed.answers.map((answer) => answerWords(englishTexts, types, claimed, answer))).toEqual(["Yes: City (prophet)", "Yes: City (follower)", "No"]);
  });
  it("which tile shows a scroll, or whether one does, is asked in the reader's language", async () => {
    const german = await readTexts("de");
    const types = new Map([
      ["A.cccr.1", create(TileTypeSchema, { id: "A.cccr.1", segments: [{ kind: SegmentKind.CITY }] })],
      ["A.cccr.2", create(TileTypeSchema, { id: "A.cccr.2", segments: [{ kind: SegmentKind.CITY, marks: { scroll: 1 } }] })],
    ]);
    const marked = { ...turn, tile: "A.cccr.2" };
    const which = create(QuestionSchema, { id: 5, text: "Which of these tiles shows a scroll?", answers: [{ turn: marked }, { turn: { ...marked, cell: cell(3, 0) } }] });
    expect(questionWords(german, view, which)).toBe("Auf welchem dieser Plättchen ist eine Schriftrolle?");
    const whether = create(QuestionSchema, { id: 6, text: "Does the tile 2 east of the start tile show a scroll?", answers: [{ turn: { ...turn, tile: "A.cccr.1" } }, { turn: marked }] });
    expect(questionWords(german, view, whether)).toBe("Ist auf diesem Plättchen eine Schriftrolle?");
    expect(whether.answers.map((answer) => answerWords(german, types, whether, answer))).toEqual(["Nein", "Ja"]);
  });
  it("which tile lies there is asked in the reader's language, and its answers are tiles", async () => {
    const german = await readTexts("de");
    const types = new Map([["B.U", create(TileTypeSchema, { id: "B.U", edges: "frfr" })], ["B.V", create(TileTypeSchema, { id: "B.V", edges: "ffrr" })]]);
    const which = create(QuestionSchema, { id: 7, whichTile: true, answers: [{ text: "B.U, turned by 0 degrees", turn }, { text: "B.V, turned by 90 degrees", turn: { ...turn, tile: "B.V", rotation: 1 } }] });
    expect(questionWords(englishTexts, view, which)).toBe("Which tile is this?");
    expect(questionWords(german, view, which)).toBe("Welches Plättchen liegt hier?");
    expect(which.answers.map((answer) => answerWords(englishTexts, types, which, answer))).toEqual([
      "north Field, east Road, south Field, west Road", "north Road, east Field, south Field, west Road"]);
  });
  it("whether a figure was taken back before it had scored is asked in the reader's language", async () => {
    const german = await readTexts("de");
    const taken = create(QuestionSchema, { id: 8, figureTaken: true, answers: [{ turn: { ...turn, deployment: { kind: FigureKind.FOLLOWER, segment: 0 } } }, { turn }] });
    expect(questionWords(englishTexts, view, taken)).toBe("Did Anna take this figure back before it had scored?");
    expect(questionWords(german, view, taken)).toBe("Hat Anna diese Figur zurückgenommen, bevor sie gewertet wurde?");
    expect(taken.answers.map((answer) => answerWords(german, new Map(), taken, answer))).toEqual(["Nein", "Ja"]);
  });
  it("that the page does not know is asked as the service says it", () => {
    const unknown = create(QuestionSchema, { id: 2, text: "as the service says it", answers: [{ turn }, { turn: { ...turn, arkPath: [cell(1, 0)] } }] });
    expect(questionWords(englishTexts, view, unknown)).toBe("as the service says it");
  });
});
