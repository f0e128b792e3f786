// axe-core on every view, light and dark, wide and narrow.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/axe";
import { touchBoard, visit, type Looks, type Visit } from "../support/browser";
import type { GameState } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { Camera, misfit } from "../support/camera";
import { createGame, playTurns, sightingClient } from "../support/players";
import { useStage } from "../support/stage";

const stage = useStage();
// A game with nothing to put right; the newest one has a finding.
let calm: GameState;

beforeAll(async () => {
  const { client } = stage;
  const other = await createGame(client, "b", "Another table");
  await playTurns(client, other.gameId, 1, 12);
  calm = (await client.getGame({ gameId: other.gameId })).state!;
  const { gameId } = await createGame(client, "a", "Friday evening");
  await playTurns(client, gameId, 1, 24);
  const state = (await client.getGame({ gameId })).state!;
  const { tiles } = await client.getTileSet({ tileSet: state.tileSet });
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  await camera.see(state);
  await camera.see(state, misfit(state, tiles));
});

// By name: the address, and how to get where there is something to look at.
const VIEWS: Record<string, { address: string; until: string; act?: (page: Page) => Promise<unknown> }> = {
  board: { address: "board", until: ".banner[data-finding]" },
  feature: {
    address: "board",
    until: ".player",
    act: async (page) => {
      const { cell, spot } = calm.figures[0]!;
      await page.goto(`${stage.house.origin}/#/board/${calm.gameId}`);
      await page.waitForFunction((n) => document.querySelectorAll(".world .tile[data-cell]").length === n, calm.tiles.length);
      await touchBoard(page, cell!, spot!);
      await page.waitForSelector(".feature-worth");
    },
  },
  scores: { address: "scores", until: ".player" },
  timeline: { address: "timeline", until: ".scrubber", act: (page) => page.click("summary") },
  tables: { address: "tables", until: ".table", act: (page) => page.click("summary") },
  players: { address: "players", until: ".person", act: (page) => page.click(".person summary") },
  correct: { address: "correct", until: ".turn-list" },
  turn: {
    address: "correct",
    until: ".turn-list button",
    act: async (page) => {
      await page.click(".turn-list button");
      await page.click('[data-colour][aria-pressed="false"]');
      await page.waitForSelector('[data-preview="ready"]');
    },
  },
  new: { address: "new", until: ".seats" },
  tiles: { address: "tiles", until: "[data-tile]" },
  drawing: {
    address: "tiles",
    until: "[data-tile]",
    act: async (page) => {
      await page.click("[data-tile]");
      await page.waitForSelector('[data-verdict="good"]');
      await page.click('[data-segment="0"] .segment-name');
      await page.click(".file-lines summary");
      await page.waitForSelector(".glow");
    },
  },
  hall: { address: "hall", until: ".hall-table .tile" },
  camera: { address: "camera", until: ".health" },
  blend: { address: "board", until: ".player", act: (page) => page.click(".camera-blend button") },
  points: {
    address: "correct",
    until: ".turn-list button",
    act: async (page) => {
      await page.getByRole("button", { name: "Change points …" }).click();
      await page.waitForSelector(".points-editor");
    },
  },
  overlay: { address: "overlay", until: ".overlay" },
  settings: { address: "board", until: ".player", act: (page) => page.click(".header nav button") },
};

async function violations(page: Page, view: string): Promise<string[]> {
  const { address, until, act } = VIEWS[view]!;
  await page.goto(`${stage.house.origin}/#/${address}`);
  await page.waitForSelector(until);
  await act?.(page);
  return barriers(page);
}

describe.each([
  { size: "tablet", theme: "light" },
  { size: "upright", theme: "light" },
  { size: "phone", theme: "dark" },
] as const)("no barrier that axe finds: $size, $theme", (looks: Looks) => {
  let v: Visit;
  beforeAll(async () => {
    v = await visit(stage.browser, `${stage.house.origin}/`, { ...looks, calm: true });
  });
  afterAll(async () => {
    await v.context.close();
  });
  it.each(Object.keys(VIEWS))("%s", async (view) => {
    expect(await violations(v.page, view)).toEqual([]);
  });
});
