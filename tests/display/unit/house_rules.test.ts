import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { groupsFor, playedRules, RULE_GROUPS } from "../../../services/display/src/model/house_rules";

const texts = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../../services/display/src/texts/${language}.json`, import.meta.url), "utf8")) as Record<string, string>;
const offered = RULE_GROUPS.flatMap((group) => group.rules);

describe("the options of the rules", () => {
  it("are those that the engine has", () => {
    const source = readFileSync(new URL("../../../engine/game/rules.cc", import.meta.url), "utf8");
    const named = [...source.matchAll(/(?:Flag|Number|Choice)\(\s*"(\w+)"|TextOption \w+\(\) \{\s*return \{"(\w+)"/g)].map((match) => match[1] ?? match[2] ?? "");
    // The preset says the Ark's edition; what the box holds is not counted at a table.
    const ours = [...offered.map(({ name }) => name), "ark", "enforce_counts"];
    expect([...new Set(named)].sort()).toEqual([...ours].sort());
  });
  it("each have a sentence and words for their values, in both languages", () => {
    for (const table of [texts("en"), texts("de")]) {
      for (const { name, values } of offered) {
        expect(table, name).toHaveProperty([`rule.${name}`]);
        for (const value of values) {
          if (/^(true|false|\d+)$/.test(value)) continue;
          expect(table, name).toHaveProperty([`rule.${name}.${value}`]);
        }
      }
      for (const { name } of RULE_GROUPS) expect(table).toHaveProperty([`rules.${name}`]);
    }
  });
  it("are offered where they decide something", () => {
    const names = (parts: string[]) => groupsFor(parts).map((group) => group.name);
    expect(names(["base.c1"])).toEqual(["play", "scoring", "draw", "table"]);
    expect(names(["base.c2", "river1.c2"])).toContain("river");
    expect(names(["ark.crrf4"])).toContain("ark");
    expect(names(["winter", "gingerbread"])).toContain("gingerbread");
  });
});

describe("the rules that a game is played by", () => {
  const presets = [
    { name: "c1", rules: { ark: "none", farmers: "true", final_by_segment: "true", gingerbread: "false" } },
    { name: "c2", rules: { ark: "none", farmers: "true", final_by_segment: "false", gingerbread: "false" } },
    { name: "ark-1", rules: { ark: "first", farmers: "true", final_by_segment: "true", gingerbread: "false" } },
  ];
  it("are told as the nearest preset and what differs", () => {
    const game = { ark: "none", farmers: "false", final_by_segment: "false", gingerbread: "false" };
    expect(playedRules(presets, game, "base.c2")).toEqual({ preset: "c2", changed: [{ name: "farmers", value: "false" }] });
    expect(playedRules(presets, { ...game, ark: "first" }, "ark")?.preset).toBe("ark-1");
  });
  it("count him as no change who comes with his tiles", () => {
    const game = { ark: "none", farmers: "true", final_by_segment: "false", gingerbread: "true" };
    expect(playedRules(presets, game, "winter+gingerbread")?.changed).toEqual([]);
    expect(playedRules(presets, { ...game, gingerbread: "false" }, "winter+gingerbread")?.changed).toEqual([{ name: "gingerbread", value: "false" }]);
  });
});
