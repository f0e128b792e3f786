// What the page says, by language. English is built in; another language is
// one more file beside this one and is read when it is chosen. A file may leave
// out keys (English is shown) and may add `refusal.CODE` and `reason.KIND`: what
// the services say in English is then said in that language. `finding.CODE` is
// said in place of the service's sentence, whose "2 east of the start tile" the
// board shows in light.
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
    const all: Table = { ...english, ...this.table };
    const text = all[`${stem}.${this.plural.select(count)}`] ?? all[`${stem}.other`] ?? stem;
    return filled(text, { count, ...parameters });
  }

  // "Anna and Ben"
  list(words: readonly string[]): string {
    return new Intl.ListFormat(this.language, { type: "conjunction" }).format(words);
  }

  // That the game was put right; the services give the reason in English.
  revision(reason: string): string {
    return this.language === "en" ? this.say("revised", { reason }) : this.say("revised.somehow");
  }

  // What people call the player: the name, or the colour while nobody gave one.
  player(player: Player | undefined): string {
    if (!player) return "";
    if (player.name && player.name !== player.colour) return plain(player.name);
    return this.colour(player.colour);
  }

  colour(colour: string): string {
    return this.table[`colour.${colour}`] ?? (english as Table)[`colour.${colour}`] ?? colour;
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
    return this.either(`finding.${finding.code}`) ?? finding.text;
  }

  // Why a change is not possible. The service names a later turn in front.
  refusal(refusal: { readonly code: string; readonly text: string }): string {
    const why = this.table[`refusal.${refusal.code}`];
    if (!why) return refusal.text;
    const later = /^Turn (\d+) would/.exec(refusal.text);
    return later ? `${this.say("correct.later", { turn: later[1] ?? "" })} ${why}` : why;
  }

  reason(item: ScoreItem): string {
    if (item.kind === "by-hand") return this.say("reason.hand", { reason: plain(item.reason) });
    const reason = this.table[`reason.${item.kind}`];
    if (!reason) return item.reason;
    const tiles = item.cells.length;
    const counted = tiles > 1 && /^(city|road)/.test(item.kind) ? this.count("reason.tiles", tiles, { reason }) : reason;
    return this.withExtras(counted, item.reason);
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
] as const;

// A name without characters that would change the direction of the words around it.
export const plain = (name: string): string => name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");

const filled = (text: string, parameters: Parameters): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole));

export const englishTexts = new Texts("en", english);

const TextsContext = createContext(englishTexts);
export const TextsProvider = TextsContext.Provider;
export const useTexts = (): Texts => useContext(TextsContext);
