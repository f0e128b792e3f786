// What somebody chose for a game that is about to begin. Pure.
import { create } from "@bufbuild/protobuf";
import { CreateGameRequestSchema, type CreateGameRequest } from "../gen/tilewarden/v1/game_pb";
import { ListTileSetsResponseSchema, RecognisedBoxSchema, type ListTileSetsResponse, type TileSetSummary } from "../gen/tilewarden/v1/query_pb";
import { broughtBy, groupsFor, type RuleGroup } from "./house_rules";

export const COLOURS = ["red", "blue", "green", "yellow", "black", "pink", "grey"] as const;
export const MOST_PLAYERS = 6;

export interface Seat {
  readonly colour: string;
  readonly name: string;
}

export interface Plan {
  readonly name: string;
  readonly box: string;
  readonly additions: readonly string[];
  readonly preset: string;
  // Options that differ from the preset's.
  readonly rules: Readonly<Record<string, string>>;
  // In turn order; none: players are known by the colours that appear.
  readonly seats: readonly Seat[];
  // The start tile is already on the table.
  readonly startTile: boolean;
  // The game is already under way: it starts from the board on the table.
  readonly begun: boolean;
  // No camera follows it.
  readonly byHand: boolean;
}

export const firstPlan: Plan = {
  name: "",
  box: "",
  additions: [],
  preset: "",
  rules: {},
  seats: [
    { colour: "red", name: "" },
    { colour: "blue", name: "" },
  ],
  startTile: true,
  begun: false,
  byHand: false,
};

const partsOf = (plan: Plan): readonly string[] => [plan.box, ...plan.additions];

// What a tile set has no use for is not offered.
export const offeredRules = (plan: Plan): readonly RuleGroup[] => groupsFor(partsOf(plan));

// Boxes that additions go with, by the additions' ids; others go with every box
// of their own edition.
const GOES_WITH: Record<string, readonly string[]> = {
  cutcassonne: ["base.c1", "base.c2"],
  gingerbread: ["winter"],
  "river.20ae": ["base.c2"],
  "river1.c3": ["base.c2"],
};

export function additionsFor(sets: ListTileSetsResponse, box: string): readonly TileSetSummary[] {
  const edition = (id: string) => id.split(".")[1];
  return sets.tileSets.filter(
    ({ id, addition }) => addition && (GOES_WITH[id]?.includes(box) ?? (edition(id) === undefined || edition(id) === edition(box))),
  );
}

const isRiver = (id: string): boolean => id.startsWith("river");
// Of two rivers only The River and The River II join.
const join = (one: string, other: string): boolean =>
  !isRiver(one) || !isRiver(other) || (/^river[12]\./.test(one) && /^river[12]\./.test(other) && one[5] !== other[5]);

// With or without an addition; what cannot lie beside it goes.
export function withAddition(plan: Plan, id: string, wanted: boolean): Plan {
  const additions = plan.additions.filter((other) => other !== id && (!wanted || join(id, other)));
  if (wanted) additions.push(id);
  const { gingerbread: _, ...rules } = plan.rules;
  return { ...plan, additions, rules: id === "gingerbread" ? rules : plan.rules };
}

// The plan with another box: its own edition, and no addition that it cannot have.
export function withBox(plan: Plan, sets: ListTileSetsResponse, box: string): Plan {
  const known = sets.tileSets.find(({ id }) => id === box);
  const presets = sets.presets.map(({ name }) => name);
  return {
    ...plan,
    box,
    preset: known?.preset || (presets.find((name) => name.startsWith(box)) ?? presets[0] ?? ""),
    additions: plan.additions.filter((id) => additionsFor(sets, box).some((set) => set.id === id)),
    rules: {},
  };
}

// What the camera reads the tiles with: the box, and what is joined to it.
// Undefined: no camera said so, or this service does not know the box.
export function recognisedBox(sets: ListTileSetsResponse): { readonly box: string; readonly additions: readonly string[] } | undefined {
  const parts = sets.recognised?.tileSet.split("+").map((part) => sets.tileSets.find(({ id }) => id === part)) ?? [];
  const box = parts.find((part) => part && !part.addition);
  if (!box) return undefined;
  const possible = additionsFor(sets, box.id).map(({ id }) => id);
  return { box: box.id, additions: parts.flatMap((part) => (part && possible.includes(part.id) ? [part.id] : [])) };
}

// The box that the camera's picture looks like, before any game is played with it.
export const asRecognised = (sets: ListTileSetsResponse, tileSet: string, sureTiles: number): ListTileSetsResponse =>
  tileSet ? create(ListTileSetsResponseSchema, { ...sets, recognised: create(RecognisedBoxSchema, { tileSet, sureTiles, connected: true }) }) : sets;

// Who sits at the table by the figures that lie there: names as they were given before.
export const seatsOf = (colours: readonly string[], named: ReadonlyMap<string, string>): readonly Seat[] =>
  colours.filter((colour) => COLOURS.some((known) => known === colour)).slice(0, MOST_PLAYERS).map((colour) => ({ colour, name: named.get(colour) ?? "" }));

export function withRecognised(plan: Plan, sets: ListTileSetsResponse): Plan {
  const seen = recognisedBox(sets);
  if (!seen) return plan;
  return seen.additions.reduce((next, id) => withAddition(next, id, true), withBox({ ...plan, additions: [] }, sets, seen.box));
}

export function isRecognised(plan: Plan, sets: ListTileSetsResponse): boolean {
  const seen = recognisedBox(sets);
  return seen?.box === plan.box && seen.additions.length === plan.additions.length && seen.additions.every((id) => plan.additions.includes(id));
}

// What the plan plays with unless somebody chooses otherwise.
const usualValue = (plan: Plan, sets: ListTileSetsResponse, name: string): string | undefined =>
  broughtBy(plan.additions)[name] ?? sets.presets.find((preset) => preset.name === plan.preset)?.rules[name];

export const ruleValue = (plan: Plan, sets: ListTileSetsResponse, name: string): string =>
  plan.rules[name] ?? usualValue(plan, sets, name) ?? "";

export function withRule(plan: Plan, sets: ListTileSetsResponse, name: string, value: string): Plan {
  const { [name]: _, ...rules } = plan.rules;
  return { ...plan, rules: value === usualValue(plan, sets, name) ? rules : { ...rules, [name]: value } };
}

// Who plays the game after this one, in turn order: whoever came second begins.
export const nextPlayers = <P>(players: readonly P[]): readonly P[] => [...players.slice(1), ...players.slice(0, 1)];

export const requestOf = (plan: Plan, requestId: string): CreateGameRequest =>
  create(CreateGameRequestSchema, {
    requestId,
    name: plan.name.trim(),
    tileSet: [plan.box, ...plan.additions].join("+"),
    preset: plan.preset,
    rules: plan.rules,
    players: plan.seats.map(({ colour, name }) => ({ colour, name: name.trim() })),
    placeStartTile: plan.byHand || (plan.startTile && !plan.begun),
    begun: plan.begun && !plan.byHand,
    byHand: plan.byHand,
  });
