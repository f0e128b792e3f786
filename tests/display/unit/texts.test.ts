import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { FindingSchema, PlayerSchema, ScoreItemSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import english from "../../../services/display/src/texts/en.json";
import { englishTexts, languages, preferredLanguage, readTexts } from "../../../services/display/src/texts/texts";

describe("texts", () => {
  it("are complete in every language, with the same parameters", async () => {
    const parameters = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([p]) => p).sort();
    for (const language of languages) {
      const table = (await import(`../../../services/display/src/texts/${language}.json`)).default as Record<string, string>;
      const plural = new Intl.PluralRules(language);
      const forms = [...new Set(Array.from({ length: 200 }, (_, n) => plural.select(n)))];
      for (const [key, text] of Object.entries(english)) {
        const [, stem, ending] = /^(.*)\.(one|other)$/.exec(key) ?? [];
        // "kind.other" is a word, and no plural.
        const form = `${stem}.one` in english ? ending : undefined;
        if (!form) {
          expect(table[key], `${language}: ${key}`).toBeTruthy();
          expect(parameters(table[key]!), `${language}: ${key}`).toEqual(parameters(text));
        }
        // Every number that a game can have; with one thing the number may go unsaid.
        for (const each of form ? forms : []) {
          const said = table[`${stem}.${each}`];
          expect(said, `${language}: ${stem}.${each}`).toBeTruthy();
          const most = parameters((english as Record<string, string>)[`${stem}.other`]!);
          expect(most, `${language}: ${stem}.${each}`).toEqual(expect.arrayContaining(parameters(said!)));
          if (each !== "one") expect(parameters(said!), `${language}: ${stem}.${each}`).toEqual(most);
        }
      }
      // Nothing that the page does not ask for: keys that only the services' words need aside.
      const asked = (key: string) => key in english || /^(refusal|reason)\./.test(key) || /\.(few|many)$/.test(key);
      expect(Object.keys(table).filter((key) => !asked(key)), language).toEqual([]);
    }
  });
  it("choose the reader's first language that there is", () => {
    expect(preferredLanguage(["fr-FR", "de-AT", "en"])).toBe("de");
    expect(preferredLanguage(["xx"])).toBe("en");
  });
  it("count", () => {
    expect(englishTexts.count("tiles.left", 1)).toBe("1 tile left");
    expect(englishTexts.count("tiles.left", 2)).toBe("2 tiles left");
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
  });
});
