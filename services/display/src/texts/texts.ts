// What the page says, by language. English is built in; another language is
// one more file beside this one and is read when it is chosen. What the services
// say is English: `refusal.CODE` and `reason.KIND` say it in the language of their
// file, and the services' own words are shown where a file has none. `finding.CODE`
// is said in place of the service's sentence in English, too, where "2 east of the
// start tile" is what the board shows in light. Numbers, dates and lists are written
// as the language writes them.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Finding, Player, ScoreItem } from "../gen/tilewarden/v1/game_pb";
import english from "./en.json";

export type TextKey = keyof typeof english;
type Parameters = Record<string, string | number>;
type Table = Readonly<Record<string, string>>;

// Fields of the score track, 0 to 49.
const SCORE_TRACK_FIELDS = 50;

const files = import.meta.glob<{ default: Table }>(["./*.json", "!./en.json"]);

export const languages: readonly string[] = [
  "en",
  ...Object.keys(files).map((path) => path.replace(/^\.\/|\.json$/g, "")),
];

export async function readTexts(language: string): Promise<Texts> {
  const file = files[`./${language}.json`];
  return file ? new Texts(language, (await file()).default) : englishTexts;
}

// The first language of the reader's that there is.
export function preferredLanguage(wishes: readonly string[]): string {
  const known = wishes.map((wish) => wish.split("-")[0] ?? "").find((wish) => languages.includes(wish));
  return known ?? "en";
}

export class Texts {
  private readonly plural: Intl.PluralRules;

  constructor(
    readonly language: string,
    private readonly table: Table,
  ) {
    this.plural = new Intl.PluralRules(language);
  }

  say(key: TextKey, parameters: Parameters = {}): string {
    return filled(this.table[key] ?? english[key], parameters);
  }

  // `stem` names keys for the plurals of the language: STEM.one, STEM.other, in some
  // STEM.few and STEM.many.
  count(stem: string, count: number, parameters: Parameters = {}): string {
    const text = this.either(`${stem}.${this.plural.select(count)}`) ?? this.either(`${stem}.other`) ?? stem;
    return filled(text, { count, ...parameters });
  }

  // "0.25", with a comma where the language has one.
  number(value: number, digits: number): string {
    return new Intl.NumberFormat(this.language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  }

  // "Anna: completed road". French sets its colon apart.
  named(head: string, rest: string): string {
    return this.say("colon", { head, rest });
  }

  // "Anna and Ben"
  list(words: readonly string[]): string {
    return new Intl.ListFormat(this.language, { type: "conjunction" }).format(words);
  }

  // That the game was put right. What people do has words in every language; what the
  // camera came to think has none but the service's, which are English.
  revision(reason: string): string {
    const key = REVISIONS.get(reason);
    if (key) return this.say(key);
    return this.language === "en" ? this.say("revised", { reason }) : this.say("revised.somehow");
  }

  // What people call the player: the name, or the colour while nobody gave one.
  player(player: Player | undefined): string {
    if (!player) return "";
    if (player.name && player.name !== player.colour) return plain(player.name);
    return this.colour(player.colour);
  }

  colour(colour: string): string {
    return this.either(`colour.${colour}`) ?? colour;
  }

  // An option of the rules, or a value of one: as the services call it when this
  // language has no word for it.
  ruleWord(stem: string, name: string): string {
    return this.either(`${stem}.${name}`) ?? name;
  }

  // What people call a game.
  game(game: { readonly name: string }): string {
    return plain(game.name) || this.say("game.unnamed");
  }

  setName(set: { readonly id: string; readonly name: string }): string {
    return this.either(`set.${set.id}`) ?? set.name;
  }

  private either(key: string): string | undefined {
    return this.table[key] ?? (english as Table)[key];
  }

  finding(finding: Finding): string {
    if (finding.marker) {
      const { colour, field, points } = finding.marker;
      const to = points % SCORE_TRACK_FIELDS;
      const key = field === to ? "finding.score-track.lies" : "finding.score-track";
      return this.say(key, { colour: this.colour(colour), field, points, to });
    }
    // A tile is found fault with for what a turn by hand would be refused for.
    return this.either(`finding.${finding.code}`) ?? this.table[`refusal.${finding.code}`] ?? finding.text;
  }

  // Why a change is not possible. The service names a later turn in front.
  refusal(refusal: { readonly code: string; readonly text: string }): string {
    const why = this.table[`refusal.${refusal.code}`];
    if (!why) return refusal.text;
    const later = /^(?:Then t|T)urn (\d+) would/.exec(refusal.text);
    return later ? `${this.say("correct.later", { turn: later[1] ?? "" })} ${why}` : why;
  }

  reason(item: ScoreItem): string {
    if (item.kind === "by-hand") return this.say("reason.hand", { reason: plain(item.reason) });
    const kind = item.reason.startsWith("most farmers") ? `${item.kind}.most` : item.kind;
    const known = this.table[`reason.${kind}`];
    if (!known) return item.reason;
    const reason = filled(known, { goods: this.table[`goods.${/^most (\w+):/.exec(item.reason)?.[1] ?? ""}`] ?? "" });
    const tiles = item.cells.length;
    const counted = tiles > 1 && /^(city|road)/.test(item.kind) ? this.count("reason.tiles", tiles, { reason }) : reason;
    const all = this.withExtras(counted, item.reason);
    return ADDED.reduce((told, [stem, words]) => {
      const added = item.reason.includes(words) && this.table[`reason.${stem}`];
      return added ? filled(added, { reason: told }) : told;
    }, all);
  }

  // What counted besides tiles, as the service's sentence ends: "and 2 coats of arms".
  private withExtras(reason: string, sentence: string): string {
    for (const [stem, words] of EXTRAS) {
      const found = words.exec(sentence);
      if (found) return this.count(`reason.${stem}`, Number(found[1]), { reason });
    }
    return reason;
  }
}

const EXTRAS = [
  ["coats", /and (\d+) coats? of arms/],
  ["scrolls", /and (\d+) scrolls?/],
  ["oases", /and (\d+) oas[ei]s/],
  ["neighbours", /itself and (\d+) neighbours?/],
  ["cities", /beside (\d+) completed cit/],
  ["sheep", /with (\d+) sheep/],
] as const;

// What changed the points, as the service's sentence says it behind a comma.
const ADDED = [
  ["inn", "with an inn"],
  ["cathedral", "with a cathedral"],
  ["pig", "with a pig"],
  ["doubled", "doubled by the prophet"],
] as const;

// What the services say when people changed a game, or began it with a board that lay there.
const REVISIONS: ReadonlyMap<string, TextKey> = new Map([
  ["corrected by hand", "revised.hand"],
  ["taken back by hand", "revised.back"],
  ["answered by a player", "revised.answered"],
  ["the game is played with the abbot", "revised.answered"],
  ["an answer was taken back", "revised.answer.back"],
  ["The players are known now.", "revised.players"],
  ["The game starts from the board on the table.", "revised.board"],
  ["The start tile is on the table.", "say.start"],
]);

// A name without characters that would change the direction of the words around it.
export const plain = (name: string): string => name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");

const filled = (text: string, parameters: Parameters): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole));

export const englishTexts = new Texts("en", english);

const TextsContext = createContext(englishTexts);
export const TextsProvider = TextsContext.Provider;
export const useTexts = (): Texts => useContext(TextsContext);
