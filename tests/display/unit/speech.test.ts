import { create } from "@bufbuild/protobuf";
import { describe, expect, it, vi } from "vitest";
import { GamePhase, ScoreItemSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { Speaker, voiceFor } from "../../../services/display/src/live/speech";
import { fold, viewOf } from "../../../services/display/src/model/view";
import { englishTexts, readTexts } from "../../../services/display/src/texts/texts";
import { spokenItem, spokenPoints } from "../../../services/display/src/views/spoken";
import { event, player, state, tile } from "./make";

const voice = (lang: string, localService = true, isDefault = false) => ({ lang, localService, default: isDefault, name: lang, voiceURI: lang }) as SpeechSynthesisVoice;
const players = [{ ...player("red"), name: "Anna" }, { ...player("blue"), name: "Ben" }];
const before = viewOf(state({ players }));
const item = (colour: string, points: number, kind: string, turn = 1) => create(ScoreItemSchema, { colour, points, kind, turn, reason: "because" });
const played = (...scoreItems: ReturnType<typeof item>[]) =>
  fold(before, event(2n, { what: { case: "turnPlayed", value: { turn: 1, tile: tile(1, 1, 0), scoreItems } }, players, toMove: "blue" }));

describe("what is said aloud", () => {
  it("is short: who, how many, for what", () => {
    expect(spokenPoints(before, played(item("red", 8, "city")), englishTexts)).toEqual(["Anna, 8 points, a city"]);
    expect(spokenPoints(before, played(item("red", 1, "road")), englishTexts)).toEqual(["Anna, 1 point, a road"]);
    expect(spokenItem(item("blue", 9, "field", 0), before, englishTexts)).toBe("Ben, 9 points, a farm");
    expect(spokenItem(item("blue", 3, "by-hand", 0), before, englishTexts)).toBe("Ben, 3 points");
  });
  it("is one sentence for each player, in the page's language", async () => {
    const after = played(item("red", 8, "city"), item("blue", 3, "road"), item("red", 4, "road"));
    expect(spokenPoints(before, after, englishTexts)).toEqual(["Anna, 12 points, a city and a road", "Ben, 3 points, a road"]);
    expect(spokenPoints(before, after, await readTexts("de"))[0]).toBe("Anna, 12 Punkte, eine Stadt und eine Straße");
  });
  it("is nothing without points, for another game, or for what was known", () => {
    expect(spokenPoints(before, played(), englishTexts)).toEqual([]);
    expect(spokenPoints({ ...before, gameId: "other" }, played(item("red", 8, "city")), englishTexts)).toEqual([]);
    const after = played(item("red", 8, "city"));
    expect(spokenPoints(after, { ...after, findings: [] }, englishTexts)).toEqual([]);
  });
  it("tells the winner at the end, once", () => {
    const over = { ...before, phase: GamePhase.ENDED, winners: ["red"] };
    expect(spokenPoints(before, over, englishTexts)).toEqual(["The game is over. Anna won."]);
    expect(spokenPoints(over, { ...over }, englishTexts)).toEqual([]);
  });
});

describe("the voice", () => {
  it("is one of this device, in the page's language, rather the one it prefers", () => {
    const voices = [voice("en-GB"), voice("de-DE", false), voice("de_AT"), voice("de-CH", true, true)];
    expect(voiceFor("de", voices)?.lang).toBe("de-CH");
    expect(voiceFor("en", voices)?.lang).toBe("en-GB");
    // What is said must not leave the house.
    expect(voiceFor("de", [voice("de-DE", false)])).toBeUndefined();
    expect(voiceFor("fr", voices)).toBeUndefined();
  });
});

describe("the speaker", () => {
  const makeSpeaker = (voices: SpeechSynthesisVoice[]) => {
    const said: SpeechSynthesisUtterance[] = [];
    const synth = { getVoices: () => voices, speak: vi.fn((words: SpeechSynthesisUtterance) => void said.push(words)), cancel: vi.fn() };
    const speaker = new Speaker(synth, (text) => ({ text }) as SpeechSynthesisUtterance);
    const end = () => said[said.length - 1]!.onend!({} as SpeechSynthesisEvent);
    return { speaker, synth, end, words: () => said.map(({ text }) => text), said };
  };
  it("says nothing until somebody wants it, nor without a voice", () => {
    const quiet = makeSpeaker([voice("en-GB")]);
    quiet.speaker.say("one");
    expect(quiet.words()).toEqual([]);
    const mute = makeSpeaker([]);
    mute.speaker.turn(true, "en");
    mute.speaker.say("one");
    expect(mute.words()).toEqual([]);
    new Speaker(undefined).turn(true, "en");
  });
  it("says one after the other, and of a flood only the newest", () => {
    const { speaker, end, words, said } = makeSpeaker([voice("en-GB")]);
    speaker.turn(true, "en");
    for (const sentence of ["1", "2", "3", "4", "5", "6"]) speaker.say(sentence);
    expect(words()).toEqual(["1"]);
    expect(said[0]!.lang).toBe("en-GB");
    for (let i = 0; i < 3; ++i) end();
    expect(words()).toEqual(["1", "4", "5", "6"]);
    end();
    speaker.say("7");
    expect(words().at(-1)).toBe("7");
  });
  it("is quiet at once when it is turned off, and begins again afterwards", () => {
    const { speaker, synth, words } = makeSpeaker([voice("en-GB")]);
    speaker.turn(true, "en");
    speaker.say("1");
    speaker.say("2");
    speaker.turn(false, "en");
    expect(synth.cancel).toHaveBeenCalled();
    expect(words()).toEqual(["1"]);
    speaker.turn(true, "en");
    speaker.say("3");
    expect(words()).toEqual(["1", "3"]);
  });
  it("goes on when a browser never tells that a sentence has ended", () => {
    vi.useFakeTimers();
    const { speaker, words } = makeSpeaker([voice("en-GB")]);
    speaker.turn(true, "en");
    speaker.say("1");
    speaker.say("2");
    vi.advanceTimersByTime(11_000);
    expect(words()).toEqual(["1", "2"]);
    vi.useRealTimers();
  });
});
