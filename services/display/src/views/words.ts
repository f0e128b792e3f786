// Short descriptions that several views share.
import { FigureKind, SegmentKind, type Answer, type Deployment, type Question, type TileType, type Turn } from "../gen/tilewarden/v1/game_pb";
import type { TileTypes } from "../live/use_game";
import { rotatedPoint, sameCell } from "../model/grid";
import { turnAt, type View } from "../model/view";
import type { TextKey, Texts } from "../texts/texts";

const FEATURES: Partial<Record<SegmentKind, TextKey>> = {
  [SegmentKind.CITY]: "feature.city",
  [SegmentKind.ROAD]: "feature.road",
  [SegmentKind.FIELD]: "feature.field",
  [SegmentKind.MONASTERY]: "feature.monastery",
  [SegmentKind.GARDEN]: "feature.garden",
  [SegmentKind.RIVER]: "feature.river",
  [SegmentKind.TEMPLE]: "feature.temple",
};

export const featureName = (texts: Texts, kind: SegmentKind | undefined): string =>
  texts.say(FEATURES[kind ?? SegmentKind.UNSPECIFIED] ?? "kind.other");

const FIGURES: Partial<Record<FigureKind, TextKey>> = {
  [FigureKind.ABBOT]: "figure.abbot",
  [FigureKind.PROPHET]: "figure.prophet",
  [FigureKind.ARK]: "figure.ark",
  [FigureKind.GINGERBREAD_MAN]: "figure.gingerbread",
  [FigureKind.LARGE_FOLLOWER]: "figure.large-follower",
  [FigureKind.BUILDER]: "figure.builder",
  [FigureKind.PIG]: "figure.pig",
};

export const figureName = (texts: Texts, kind: FigureKind): string => texts.say(FIGURES[kind] ?? "figure.follower");

// What people call the player of a colour.
export const playerName = (texts: Texts, view: View, colour: string): string =>
  texts.player(view.players.find((player) => player.colour === colour)) || texts.colour(colour);

const EDGES: Record<string, TextKey> = { c: "feature.city", r: "feature.road", f: "feature.field", s: "feature.river" };
const SIDES = ["side.north", "side.east", "side.south", "side.west"] as const;

// A tile in words, for those who do not see its picture: its edges as it lies,
// and what stands in its middle.
export function tileWords(texts: Texts, type: TileType | undefined, rotation: number): string {
  if (!type) return "";
  const edges = SIDES.map((side, i) => {
    const letter = type.edges[(i - rotation + 8) % 4] ?? "";
    return `${texts.say(side)} ${texts.say(EDGES[letter] ?? "kind.other")}`;
  });
  const middle = [SegmentKind.MONASTERY, SegmentKind.GARDEN, SegmentKind.TEMPLE]
    .filter((kind) => type.segments.some((segment) => segment.kind === kind))
    .map((kind) => featureName(texts, kind));
  if (type.segments.some((segment) => segment.coatsOfArms > 0)) middle.push(texts.say("tile.arms"));
  return [...edges, ...middle].join(", ");
}

// How long ago something was.
export function agoWords(texts: Texts, ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 2) return texts.say("time.now");
  return seconds < 120 ? texts.count("time.seconds", seconds) : texts.count("time.minutes", Math.round(seconds / 60));
}

// Points gained, or taken away.
export const signed = (points: number): string => (points > 0 ? `+${points}` : String(points));

export const percent = (texts: Texts, share: number): string => {
  // Small is not nothing, and nearly sure is not sure.
  const rounded = share > 0 && share < 0.01 ? 0.01 : share < 1 && share > 0.99 ? 0.99 : share;
  return new Intl.NumberFormat(texts.language, { style: "percent", maximumFractionDigits: 0 }).format(rounded);
};

// What a question is about when its answers differ in nothing but the figure:
// the tile just laid, and who may have claimed what it completed.
function claimIn({ answers }: Question): Turn | undefined {
  const [first, ...others] = answers.map(({ turn }) => turn);
  const alike = (turn: Turn | undefined) =>
    turn && first && turn.tile === first.tile && turn.rotation === first.rotation && turn.colour === first.colour && sameCell(turn.cell, first.cell);
  const deploys = answers.some(({ turn }) => turn?.deployment);
  return first && deploys && others.every(alike) ? first : undefined;
}

// What a question is about when each answer is another turn's: which of their tiles, with a figure on
// it, is of the type that has a coat of arms.
const asksForCoat = ({ answers }: Question): boolean =>
  answers.length > 1 && answers.every(({ turn }, i) => turn && answers.every((other, k) => i === k || (other.turn && !sameCell(turn.cell, other.turn.cell))));

// What a question is about whose answers are one tile, with a coat of arms or without.
const asksForArms = ({ answers: [first, ...others] }: Question): boolean =>
  others.length > 0 && others.every(({ turn }) => turn && first?.turn && sameCell(turn.cell, first.turn.cell) && turn.tile !== first.turn.tile);

// What a question is about whose answers are one claim, with an abbot or a prophet or with a follower.
const asksForKind = ({ answers: [first, ...others] }: Question): boolean =>
  others.length > 0 && others.every(({ turn }) => turn?.deployment && first?.turn?.deployment && sameCell(turn.cell, first.turn.cell)
    && turn.deployment.segment === first.turn.deployment.segment && turn.deployment.kind !== first.turn.deployment.kind);

const ofProphet = ({ answers }: Question): boolean => answers.some(({ turn }) => turn?.deployment?.kind === FigureKind.PROPHET);
const KINDS_ASKED: Partial<Record<FigureKind, TextKey>> = { [FigureKind.ABBOT]: "question.kind.abbot", [FigureKind.PROPHET]: "question.kind.prophet" };

// What a question is about whose answers differ in whether an abbot was called home; that answer.
const recallIn = ({ answers }: Question): Turn | undefined => {
  const recalls = answers.filter(({ turn }) => turn?.recall);
  return answers.length === 2 && recalls.length === 1 ? recalls[0]?.turn : undefined;
};

const hasArms = (types: TileTypes, turn: Turn | undefined): boolean => types.get(turn?.tile ?? "")?.segments.some((s) => s.coatsOfArms > 0 || (s.marks["scroll"] ?? 0) > 0) ?? false;

// The tiles of the Ark have scrolls where others have coats of arms.
const ofScroll = ({ text }: Question): boolean => text.endsWith("a scroll?");

// Kinds that a game may be played with though its rules have none: what is asked, what each answer
// says but the last, which is no, and what takes one back.
interface PlayedWith {
  readonly asked: TextKey;
  readonly answers: readonly TextKey[];
  readonly undo: TextKey;
}
const EDITIONS_OF_ARK = ["question.playing.ark.first", "question.playing.ark.second", "question.playing.ark.german"] as const;
const PLAYED_WITH: Partial<Record<FigureKind, PlayedWith>> = {
  [FigureKind.ABBOT]: { asked: "question.playing.abbot", answers: ["question.playing.abbot.yes"], undo: "correct.undo.abbot" },
  [FigureKind.GINGERBREAD_MAN]: { asked: "question.playing.gingerbread", answers: ["question.playing.gingerbread.yes"], undo: "correct.undo.gingerbread" },
  [FigureKind.ARK]: { asked: "question.playing.ark", answers: EDITIONS_OF_ARK, undo: "correct.undo.ark" },
  [FigureKind.PROPHET]: { asked: "question.playing.prophet", answers: EDITIONS_OF_ARK, undo: "correct.undo.ark" },
};

// A river's tile lies on the table of a game without one: each answer but the last is a river.
export const asksForRiver = ({ answers }: Question): boolean => (answers[0]?.tileSet ?? "") !== "";

// What people call the rivers of a tile set.
const riversIn = (texts: Texts, tileSet: string): string =>
  texts.list(tileSet.split("+").filter((id) => id.startsWith("river")).map((id) => texts.setName({ id, name: id })));

// What undoing takes back: an answer about a kind or a river, or the last turn.
export function undoKey({ undoesAnswer, undoesRiver }: Pick<View, "undoesAnswer" | "undoesRiver">): TextKey {
  if (undoesRiver) return "correct.undo.river";
  return PLAYED_WITH[undoesAnswer]?.undo ?? (undoesAnswer === FigureKind.UNSPECIFIED ? "correct.undo" : "correct.undo.answer");
}

// A question in the reader's language where the page knows what it is about, and
// else as the service says it.
export function questionWords(texts: Texts, view: View, question: Question): string {
  if (question.pointsSoFar) return texts.say("question.points");
  if (question.tableCleared) return texts.say("question.cleared");
  const playing = PLAYED_WITH[question.playingWith];
  if (playing) return texts.say(playing.asked);
  if (asksForRiver(question)) return texts.say("question.playing.river");
  if (question.whichTile) return texts.say("question.tile");
  if (question.figureTaken) return texts.say("question.taken", { name: playerName(texts, view, question.answers[0]?.turn?.colour ?? "") });
  if (asksForCoat(question)) return texts.say(ofScroll(question) ? "question.coat.scroll" : "question.coat");
  if (asksForArms(question)) return texts.say(ofScroll(question) ? "question.arms.scroll" : "question.arms");
  if (asksForKind(question)) return texts.say(ofProphet(question) ? "question.kind.of_prophet" : "question.kind", { name: playerName(texts, view, question.answers[0]?.turn?.colour ?? "") });
  const recall = recallIn(question);
  if (recall) return texts.say("question.recall", { name: playerName(texts, view, recall.colour) });
  const claim = claimIn(question);
  return claim ? texts.say("question.claim", { name: playerName(texts, view, claim.colour) }) : question.text;
}

// Which turns a question is about, and what hangs on it.
export function aboutWords(texts: Texts, view: View, { answers, pointsAtStake }: Question): string {
  const turns = [...new Set(answers.map(({ turn }) => turnAt(view, turn?.cell)).filter((turn) => turn > 0))].sort((a, b) => a - b);
  return [
    ...(turns.length > 0 ? [texts.count("question.turns", turns.length, { turns: texts.list(turns.map(String)) })] : []),
    ...(pointsAtStake > 0 ? [texts.count("question.stake", pointsAtStake)] : []),
  ].join(" · ");
}

export function answerWords(texts: Texts, types: TileTypes, question: Question, answer: Answer): string {
  const { text, turn } = answer;
  const playing = PLAYED_WITH[question.playingWith];
  if (playing) return texts.say(playing.answers[question.answers.indexOf(answer)] ?? "question.no");
  if (asksForRiver(question)) return answer.tileSet ? texts.say("question.playing.river.yes", { rivers: riversIn(texts, answer.tileSet) }) : texts.say("question.no");
  if (question.whichTile) return tileWords(texts, types.get(turn?.tile ?? ""), turn?.rotation ?? 0) || text;
  if (question.figureTaken) return texts.say(turn?.deployment ? "question.no" : "question.arms.yes");
  if (asksForCoat(question)) return texts.say("question.this");
  if (asksForArms(question)) return texts.say(hasArms(types, turn) ? "question.arms.yes" : "question.no");
  if (asksForKind(question)) return texts.say(KINDS_ASKED[turn?.deployment?.kind ?? FigureKind.FOLLOWER] ?? "question.kind.follower");
  if (recallIn(question)) return texts.say(turn?.recall ? "question.arms.yes" : "question.no");
  if (!turn || !claimIn(question)) return text;
  if (!turn.deployment) return texts.say("question.no");
  const kind = claimedKind(types, answer);
  if (kind === undefined) return text;
  const feature = featureName(texts, kind);
  const alike = question.answers.filter((other) => claimedKind(types, other) === kind);
  const several = (of: (deployment: Deployment | undefined) => number | undefined) => new Set(alike.map((other) => of(other.turn?.deployment))).size > 1;
  const which = [
    ...(several((one) => one?.kind) ? [figureName(texts, turn.deployment.kind)] : []),
    ...(several((one) => one?.segment) ? [texts.say(sideOf(types, turn))] : []),
  ].join(", ");
  return texts.say("question.yes", { feature: which ? `${feature} (${which})` : feature });
}

const claimedKind = (types: TileTypes, { turn }: Answer): SegmentKind | undefined =>
  turn?.deployment && types.get(turn.tile)?.segments[turn.deployment.segment]?.kind;

// Towards which side of its tile, as it lies, a figure stands.
function sideOf(types: TileTypes, turn: Turn): (typeof SIDES)[number] {
  const spot = types.get(turn.tile)?.segments[turn.deployment?.segment ?? 0]?.spot ?? { x: 0.5, y: 0.5 };
  const { x, y } = rotatedPoint(spot, turn.rotation);
  if (Math.abs(x - 0.5) > Math.abs(y - 0.5)) return x > 0.5 ? "side.east" : "side.west";
  return y > 0.5 ? "side.south" : "side.north";
}
