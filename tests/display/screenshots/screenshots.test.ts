// Pictures of every view from the real services, for looking at and for the
// README: `tests/display/screenshots/take FOLDER`.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SegmentKind } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { openBrowser, visit, type Looks } from "../support/browser";
import { Camera, misfit } from "../support/camera";
import { createGame, gameClient, playTurns, sightingClient, type GameClient } from "../support/players";
import { House } from "../support/services";

const folder = process.env["SCREENSHOTS"] ?? "screenshots";

let house: House;
let browser: Browser;
let client: GameClient;
let gameId = "";

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
  client = gameClient(house.origin);
  gameId = (await createGame(client, "a", "Friday evening")).gameId;
  await playTurns(client, gameId, 1, 40);
});
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const EVERYWHERE: readonly Looks[] = (["tablet", "upright", "phone"] as const).flatMap((size) =>
  (["light", "dark"] as const).map((theme) => ({ size, theme })),
);

async function take(name: string, view: string, looks: readonly Looks[], act?: (page: Page) => Promise<unknown>) {
  for (const look of looks) {
    const v = await visit(browser, `${house.origin}/#/${view}`, look);
    await v.page.waitForSelector("main:not(.no-game)");
    await v.page.waitForTimeout(700);
    await act?.(v.page);
    // Until nothing glides or glows any more.
    if (act || name.startsWith("finding")) await v.page.waitForTimeout(5_500);
    const language = look.language ? `-${look.language}` : "";
    await v.page.screenshot({ path: join(folder, `${name}-${look.size}-${look.theme}${language}.png`) });
    expect(v.complaints).toEqual([]);
    expect(v.strangers).toEqual([]);
    await v.context.close();
  }
}

const TABLET: readonly Looks[] = [{ size: "tablet", theme: "light" }];

it("the running game", async () => {
  for (const view of ["board", "scores", "timeline", "tables"]) await take(view, view, EVERYWHERE);
  await take("overlay", "overlay", TABLET);
  await take("points-lit", "board", TABLET, (page) => page.click(".point >> nth=2"));
  await take("feature", "board", TABLET, async (page) => {
    const { figures } = (await client.getGame({ gameId })).state!;
    const { cell, spot } = figures.find((figure) => figure.feature === SegmentKind.CITY)!;
    const box = (await page.locator(`.world > g .tile[data-cell="${cell!.x},${cell!.y}"]`).boundingBox())!;
    await page.mouse.click(box.x + box.width * spot!.x, box.y + box.height * spot!.y);
  });
  await take("settings", "board", [{ size: "phone", theme: "light" }], (page) => page.click(".header nav button"));
});

it("a finding", async () => {
  const state = (await client.getGame({ gameId })).state!;
  const { tiles } = await client.getTileSet({ tileSet: state.tileSet });
  const camera = new Camera(sightingClient(house.engineAddress), gameId);
  await camera.see(state);
  await camera.see(state, misfit(state, tiles));
  await take("finding", "board", [...EVERYWHERE, { size: "tablet", theme: "light", language: "de" }]);
  await camera.see(state);
});

it("the end", async () => {
  await playTurns(client, gameId, 41, 71);
  await client.endGame({ requestId: "end", gameId });
  await take("final", "board", EVERYWHERE);
  await take("final-step", "board", TABLET, (page) => page.click(".final .wide-button"));
});
