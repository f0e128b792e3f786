// The options of the rules as people choose them: in groups, each with what it takes.
// engine/RULES.md says what each decides.

// What a game must have for an option to decide anything.
export type Needs = "river" | "ark" | "gingerbread" | "gardens" | "inns" | "fork" | "cathedrals" | "traders";

export interface OfferedRule {
  readonly name: string;
  // None: a text, as `tilewarden rules show` says it.
  readonly values: readonly string[];
  readonly needs?: Needs;
}

export interface RuleGroup {
  readonly name: "play" | "scoring" | "boxes" | "river" | "ark" | "gingerbread" | "draw" | "table";
  readonly rules: readonly OfferedRule[];
}

const FLAG = ["true", "false"] as const;
const flag = (name: string, needs?: Needs): OfferedRule => (needs ? { name, values: FLAG, needs } : { name, values: FLAG });

export const RULE_GROUPS: readonly RuleGroup[] = [
  {
    name: "play",
    rules: [
      flag("farmers"),
      flag("abbot", "gardens"),
      flag("recall_needs_meeple", "gardens"),
      { name: "followers", values: ["7", "6", "5", "8"] },
      { name: "max_players", values: ["5", "6"] },
      { name: "first_player", values: ["free", "youngest", "youngest_decides", "last_read"] },
    ],
  },
  {
    name: "scoring",
    rules: [
      { name: "farm_scoring", values: ["third", "second", "first"] },
      { name: "two_tile_city_points", values: ["4", "2"] },
      flag("cities_must_be_filled"),
      flag("bushes_end_roads"),
      flag("inns", "inns"),
      flag("final_incomplete"),
      flag("final_by_segment"),
    ],
  },
  {
    name: "boxes",
    rules: [
      flag("cathedrals", "cathedrals"),
      { name: "large_followers", values: ["1", "0", "2"], needs: "cathedrals" },
      { name: "builders", values: ["1", "0", "2"], needs: "traders" },
      { name: "pigs", values: ["1", "0", "2"], needs: "traders" },
      flag("goods", "traders"),
    ],
  },
  {
    name: "river",
    rules: [
      { name: "river", values: ["official", "strict", "free"], needs: "river" },
      flag("river_away", "river"),
      flag("river_three", "river"),
      flag("river_meeples", "river"),
      flag("river_shuffled", "river"),
      { name: "river_start", values: ["source", "lake", "fork"], needs: "river" },
      flag("river_to_middle", "river"),
      flag("fork_by_youngest", "fork"),
      flag("volcano_lake", "fork"),
      flag("pig_herd", "fork"),
      flag("several_sources", "fork"),
      flag("one_lake", "fork"),
      flag("lakes_mixed", "fork"),
      flag("river_in_two_stacks", "fork"),
      flag("source_counts_once", "river"),
    ],
  },
  {
    name: "ark",
    rules: [
      flag("ark_ends_elsewhere", "ark"),
      flag("temples_after_cities", "ark"),
      flag("ark_to_temples", "ark"),
      flag("ark_temple_each_time", "ark"),
      flag("temple_follower_returns", "ark"),
    ],
  },
  {
    name: "gingerbread",
    rules: [
      flag("gingerbread", "gingerbread"),
      flag("gingerbread_moves_twice", "gingerbread"),
      flag("gingerbread_moves_first", "gingerbread"),
      flag("gingerbread_to_new_tile", "gingerbread"),
      flag("gingerbread_next_city", "gingerbread"),
    ],
  },
  {
    name: "draw",
    rules: [
      flag("start_tile_mixed"),
      { name: "hand", values: ["1", "2", "3"] },
      flag("draw_at_end"),
      flag("unplaceable_returns"),
      flag("ends_when_none_fits"),
      flag("hole_extra_turn"),
      flag("tile_buying"),
    ],
  },
  {
    name: "table",
    rules: [
      { name: "area", values: [] },
      { name: "board_shift", values: ["refused", "allowed", "second_table"] },
      flag("table_edge_completes"),
    ],
  },
];

// Those that decide something in a game with these tile sets.
export function groupsFor(parts: readonly string[]): readonly RuleGroup[] {
  const starts = (word: string) => parts.some((part) => part.startsWith(word));
  const has: Record<Needs, boolean> = {
    river: starts("river"),
    fork: starts("river2") || starts("river.20ae"),
    ark: starts("ark"),
    gingerbread: parts.includes("gingerbread"),
    gardens: parts.includes("base.c2"),
    inns: starts("winter") || starts("river2") || starts("inns."),
    cathedrals: starts("inns."),
    traders: starts("traders."),
  };
  return RULE_GROUPS.map((group) => ({ ...group, rules: group.rules.filter(({ needs }) => !needs || has[needs]) })).filter(
    ({ rules }) => rules.length > 0,
  );
}

// What boxes bring with their tiles, whatever the preset says (engine/game/box_rules.cc).
const BROUGHT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gingerbread: { gingerbread: "true" },
  inns: { inns: "true", cathedrals: "true", large_followers: "1", max_players: "6" },
  traders: { builders: "1", pigs: "1", goods: "true", pig_herd: "true" },
};

export const broughtBy = (parts: readonly string[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...parts.map((part) => BROUGHT[part.split(".")[0] ?? ""])) as Readonly<Record<string, string>>;

// Named presets with all their options.
type Presets = readonly { readonly name: string; readonly rules: Readonly<Record<string, string>> }[];

export interface PlayedRules {
  readonly preset: string;
  // What differs from it, in the order of the groups.
  readonly changed: readonly { readonly name: string; readonly value: string }[];
}

// The preset that a game's options are nearest to, and what its tables chose otherwise.
export function playedRules(presets: Presets, rules: Readonly<Record<string, string>>, tileSet: string): PlayedRules | undefined {
  const parts = tileSet.split("+");
  const names = groupsFor(parts).flatMap((group) => group.rules.map(({ name }) => name));
  const brought = broughtBy(parts);
  const usual = (preset: Presets[number], name: string) => brought[name] ?? preset.rules[name];
  const different = (preset: Presets[number]) => names.filter((name) => rules[name] !== undefined && rules[name] !== usual(preset, name));
  const best = presets
    .filter((preset) => preset.rules["ark"] === rules["ark"])
    .map((preset) => ({ preset: preset.name, changed: different(preset).map((name) => ({ name, value: rules[name] ?? "" })) }))
    .sort((a, b) => a.changed.length - b.changed.length || Number(tileSet.includes(b.preset)) - Number(tileSet.includes(a.preset)));
  return best[0];
}
