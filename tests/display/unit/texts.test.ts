import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { FindingSchema, PlayerSchema, ScoreItemSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import english from "../../../services/display/src/texts/en.json";
import { englishTexts, languages, preferredLanguage, readTexts } from "../../../services/display/src/texts/texts";
import { splitQuoted } from "../../../services/display/src/views/camera/camera_health";
import { briefly } from "../../../services/display/src/views/hall";
import { nameOfLanguage } from "../../../services/display/src/views/settings_panel";

describe("texts", () => {
  const parametersOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([p]) => p).sort();
  const tableOf = async (language: string) =>
    (await import(`../../../services/display/src/texts/${language}.json`)).default as Readonly<Record<string, string>>;
  // "STEM.one" names the plurals of STEM; "kind.other" is a word.
  const stemOf = (key: string, keys: ReadonlySet<string>) => {
    const stem = /^(.*)\.(?:one|other)$/.exec(key)?.[1];
    return stem !== undefined && keys.has(`${stem}.one`) ? stem : undefined;
  };
  // What the services say in English, said in another language.
  const services = /^(refusal|reason|finding)\./;
  // Every number that people can meet in a game.
  const formsOf = (language: string) => {
    const plural = new Intl.PluralRules(language);
    const met = new Set(Array.from({ length: 201 }, (_, n) => plural.select(n)));
    return (["zero", "one", "two", "few", "many", "other"] as const).filter((form) => met.has(form));
  };
  // Each text with the one whose parameters it takes: English where the page says it, else German.
  async function wantedIn(language: string): Promise<Map<string, string>> {
    const wanted = new Map<string, string>();
    const model: Record<string, string> = language === "en" ? english : { ...english, ...(await tableOf("de")), ...english };
    const keys = new Set(Object.keys(model));
    for (const [key, text] of Object.entries(model)) {
      const stem = stemOf(key, keys);
      if (stem === undefined) wanted.set(key, text);
      else for (const form of formsOf(language)) wanted.set(`${stem}.${form}`, model[`${stem}.${form}`] ?? model[`${stem}.other`]!);
    }
    return wanted;
  }

  it("are complete in every language, with the same parameters and nothing else", async () => {
    expect(languages).toEqual(["en", "de", "es", "fr", "nl", "pl"]);
    const added = Object.keys(await tableOf("de")).filter((key) => !(key in english));
    expect(added.filter((key) => !services.test(key))).toEqual([]);
    for (const language of languages) {
      const table = await tableOf(language);
      const wanted = await wantedIn(language);
      expect(Object.keys(table).sort(), language).toEqual([...wanted.keys()].sort());
      for (const [key, model] of wanted) {
        expect(table[key]!.trim(), `${language}: ${key}`).not.toBe("");
        expect(parametersOf(table[key]!), `${language}: ${key}`).toEqual(parametersOf(model));
      }
    }
  });
  it("name the number wherever a form stands for more than one thing", async () => {
    for (const language of languages) {
      const plural = new Intl.PluralRules(language);
      // French says "one" of nothing, too: a text without its number would then be wrong.
      if (plural.select(0) !== "one") continue;
      const table = await tableOf(language);
      const unsaid = Object.keys(table).filter((key) => key.endsWith(".one") && parametersOf(table[key]!).length === 0);
      // Both are said of at least one.
      expect(unsaid, language).toEqual(["finding.more.one", "enrol.all.one"]);
    }
  });
  it("stand in the order of the English file, so that two files can be read side by side", async () => {
    for (const language of languages) {
      const order = (await wantedIn(language)).keys();
      const inEnglish = [...order].filter((key) => key in english);
      const table = await tableOf(language);
      expect(Object.keys(table).filter((key) => key in english), language).toEqual(inEnglish);
    }
  });
  it("are translated: no sentence stays English", async () => {
    for (const language of languages.filter((each) => each !== "en")) {
      const table = await tableOf(language);
      const same = Object.entries(english).filter(([key, text]) => text.split(" ").length > 3 && table[key] === text);
      expect(same, language).toEqual([]);
    }
  });
  it("are set as each language sets its type", async () => {
    const quotes: Record<string, string> = { en: "“”", de: "„“", fr: "«»", nl: "“”", es: "«»", pl: "„”" };
    for (const language of languages) {
      const [open, close] = [...(quotes[language] ?? "")];
      for (const [key, text] of Object.entries(await tableOf(language))) {
        const where = `${language}: ${key}: ${text}`;
        expect(text, where).not.toMatch(/[—"']|\.\.\.|\s{2}|^\s|\s$|\s[,.]/u);
        const marks = [...text].filter((c) => "“”„«»‘‚".includes(c));
        expect(marks, where).toEqual(marks.map((_, i) => (i % 2 === 0 ? open : close)));
        // A thin space that does not break stands before these in French, and nothing in others.
        const tall = language === "fr" ? /[^\u202f][;:!?»]|«[^\u202f]/u : /\s[;:!?]/u;
        expect(text, where).not.toMatch(tall);
        if (language === "es") expect([text.match(/¿/g)?.length, text.match(/¡/g)?.length], where).toEqual([text.match(/\?/g)?.length, text.match(/!/g)?.length]);
      }
    }
  });
  it("show what is typed as it is typed, in any quotation marks", async () => {
    const commands = (text: string) => splitQuoted(text).filter((_, i) => i % 2 === 1);
    for (const language of languages) {
      const table = await tableOf(language);
      for (const key of ["camera.step.enrol.more", "camera.step.start.more"] as const) {
        expect(commands(table[key]!), `${language}: ${key}`).toEqual(commands(english[key]));
      }
    }
  });
  it("say on a wall what is wrong, and not how to put it right", async () => {
    for (const language of languages) {
      const table = await tableOf(language);
      for (const [key, text] of Object.entries(table).filter(([key]) => key.startsWith("finding.") && key !== "finding.cleared" && /[.?]$/.test(table[key]!))) {
        const short = briefly(text.replace("{colour}", table["colour.red"]!));
        expect(short.split(" ").length, `${language}: ${key}: ${short}`).toBeGreaterThan(2);
        expect(short, `${language}: ${key}`).not.toMatch(/\s$|[.]/u);
      }
    }
  });
  it("are offered under the name that each language has for itself", () => {
    expect(languages.map(nameOfLanguage)).toEqual(["English", "Deutsch", "Español", "Français", "Nederlands", "Polski"]);
  });
  it("choose the reader's first language that there is", () => {
    expect(preferredLanguage(["sv-SE", "de-AT", "en"])).toBe("de");
    expect(preferredLanguage(["fr-CA", "en"])).toBe("fr");
    expect(preferredLanguage(["xx"])).toBe("en");
  });
  it("count", () => {
    expect(englishTexts.count("tiles.left", 1)).toBe("1 tile left");
    expect(englishTexts.count("tiles.left", 2)).toBe("2 tiles left");
  });
  it("count and write numbers as the language does", async () => {
    const polish = await readTexts("pl");
    const said = [1, 2, 5, 12, 22, 25].map((n) => polish.count("points.value", n, { points: n }));
    expect(said).toEqual(["1 punkt", "2 punkty", "5 punktów", "12 punktów", "22 punkty", "25 punktów"]);
    const french = await readTexts("fr");
    expect(french.count("feature.tiles", 0)).toBe("0 tuile");
    // No file has a form of its own for millions.
    expect(french.count("feature.tiles", 1_000_000)).toContain("tuiles");
    expect([englishTexts.number(0.5, 2), polish.number(0.5, 2)]).toEqual(["0.50", "0,50"]);
    expect([englishTexts.named("Anna", "road"), french.named("Anna", "route")]).toEqual(["Anna: road", "Anna\u202f: route"]);
  });
  it("say in every language what people changed, and of the camera's thoughts that there was one", async () => {
    const german = await readTexts("de");
    expect(englishTexts.revision("taken back by hand")).toBe("The last turn was taken back.");
    expect(german.revision("taken back by hand")).toBe("Der letzte Zug wurde zurückgenommen.");
    expect(englishTexts.revision("the tile was read better")).toBe("Corrected: the tile was read better");
    expect(german.revision("the tile was read better")).toBe("Etwas wurde korrigiert.");
  });
  it("take out of names what would turn the words around them", () => {
    const player = create(PlayerSchema, { colour: "red", name: "\u202eevil\u2066" });
    expect(englishTexts.player(player)).toBe("evil");
    expect(englishTexts.game({ name: "\u200fClub" })).toBe("Club");
    expect(englishTexts.game({ name: "\u202e" })).toBe("Game on the table");
    expect(englishTexts.player(create(PlayerSchema, { colour: "red", name: "red" }))).toBe("Red");
  });
  it("say findings and reasons in the reader's language, and else as the service said them", async () => {
    const german = await readTexts("de");
    // Not the service's words: the board lights where it is.
    const finding = create(FindingSchema, { code: "edge-mismatch", text: "The tile 2 east of the start tile cannot stay there." });
    expect(englishTexts.finding(finding)).toMatch(/^This tile does not match its neighbour/);
    expect(englishTexts.finding(create(FindingSchema, { code: "new-code", text: "As said." }))).toBe("As said.");
    expect(german.finding(finding)).toContain("passt nicht");
    expect(german.finding(create(FindingSchema, { code: "new-code", text: "As said." }))).toBe("As said.");
    const astray = create(FindingSchema, { code: "score-track", marker: { colour: "red", field: 12, points: 67 } });
    expect(englishTexts.finding(astray)).toBe("Red: the marker is on 12 of the score track, but the score is 67. Move it to 17.");
    expect(german.finding(astray)).toContain("Rot: Der Zählstein steht auf Feld 12");
    const fallen = create(FindingSchema, { code: "score-track", marker: { colour: "red", field: 12, points: 12 } });
    expect(german.finding(fallen)).toContain("Stellt ihn auf");
    const refusal = { code: "edge-mismatch", text: "Turn 7 would no longer be legal: It does not fit." };
    expect(englishTexts.refusal(refusal)).toBe(refusal.text);
    expect(german.refusal(refusal)).toBe("Zug 7 wäre dann nicht mehr erlaubt. Eine Kante passt nicht zu ihrer Nachbarkante.");
    expect(german.refusal({ code: "new-code", text: "As said." })).toBe("As said.");
    expect(german.refusal({ ...refusal, text: "Then turn 7 would not be legal: It does not fit." })).toContain("Zug 7 wäre dann nicht mehr erlaubt.");
    // What a turn would be refused for, found on the table.
    const uturn = create(FindingSchema, { code: "river-uturn", text: "The tile cannot stay there. The river may not turn." });
    expect(englishTexts.finding(uturn)).toBe(uturn.text);
    expect(german.finding(uturn)).toBe("So darf der Fluss nicht kehrtmachen.");
    const item = create(ScoreItemSchema, { kind: "city", reason: "completed city: 2 tiles", cells: [{ x: 0, y: 0 }, { x: 1, y: 0 }] });
    expect(englishTexts.reason(item)).toBe("completed city: 2 tiles");
    expect(german.reason(item)).toBe("Stadt fertig, 2 Plättchen");
    // All that the points are made of.
    const cells = [{ x: 0, y: 0 }, { x: 1, y: 0 }];
    const said = (kind: string, reason: string) => german.reason(create(ScoreItemSchema, { kind, reason, cells }));
    expect(said("city", "completed city: 2 tiles and 1 coat of arms")).toBe("Stadt fertig, 2 Plättchen und 1 Wappen");
    expect(said("road", "completed road: 2 tiles and 3 oases")).toBe("Straße fertig, 2 Plättchen und 3 Oasen");
    expect(said("monastery.incomplete", "unfinished monastery: itself and 1 neighbour")).toBe("Unfertiges Kloster: selbst und 1 Nachbarplättchen");
    expect(said("field", "farm beside 2 completed cities")).toBe("Wiese an 2 fertigen Städten");
    expect(said("field", "most farmers around a completed city")).toBe("Die meisten Bauern an einer fertigen Stadt");
    expect(said("field", "field with 3 sheep that no wolf eats")).toBe("Wiese mit 3 Schafen");
    expect(said("city", "completed city: 2 tiles, doubled by the prophet")).toBe("Stadt fertig, 2 Plättchen, vom Propheten verdoppelt");
  });
});
