// axe-core on every view, light and dark, wide and narrow.
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, visit, type Looks } from "../support/browser";
import { Camera, misfit } from "../support/camera";
import { createGame, gameClient, playTurns, sightingClient } from "../support/players";
import { House } from "../support/services";

let house: House;
let browser: Browser;
let gameId = "";
const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
  const client = gameClient(house.origin);
  gameId = (await createGame(client, "a", "Friday evening")).gameId;
  await playTurns(client, gameId, 1, 24);
  const state = (await client.getGame({ gameId })).state!;
  const { tiles } = await client.getTileSet({ tileSet: state.tileSet });
  const camera = new Camera(sightingClient(house.engineAddress), gameId);
  await camera.see(state);
  await camera.see(state, misfit(state, tiles));
});
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

async function violations(view: string, looks: Looks): Promise<string[]> {
  const v = await visit(browser, `${house.origin}/#/${view}`, looks);
  await v.page.waitForSelector(view === "overlay" ? ".overlay" : view === "tables" ? ".table" : ".player");
  if (view === "board") await v.page.waitForSelector(".banner[data-finding]");
  if (view === "settings") await v.page.click(".header nav button");
  // Not as a script of the page: its content policy would rightly refuse it.
  const found = await v.page.evaluate(`${await axe}; axe.run().then((r) => r.violations.map((v) =>
    v.id + ": " + v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")))`);
  await v.context.close();
  return found as string[];
}

describe.each([
  { size: "tablet", theme: "light" },
  { size: "phone", theme: "dark" },
] as const)("no barrier that axe finds: $size, $theme", (looks) => {
  it.each(["board", "scores", "timeline", "tables", "overlay", "settings"])("%s", async (view) => {
    expect(await violations(view, looks)).toEqual([]);
  });
});
