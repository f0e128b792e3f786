// Disputed turns, looked at after the evening: what the camera saw, what was said, and what came of it.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { barriers } from "../support/axe";
import { openBrowser, visit } from "../support/browser";
import { Camera } from "../support/camera";
import { colourOf, expectNear } from "../support/evidence";
import { CLOTH, paintOf, Painter } from "../support/painter";
import { createGame, gameClient, sightingClient } from "../support/players";
import { House } from "../support/services";
import { disputedEvening, WRONG } from "../support/disputes";

let house: House;
let browser: Browser;
let painter: Painter;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open("127.0.0.1:0", ["--keep-clips", "30"]), openBrowser()]);
  painter = await Painter.open(browser);
});
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const open = (gameId: string, search = "") => visit(browser, `${house.origin}/${search}#/timeline/${gameId}`, { calm: true });
const wordsOf = (page: Page) => page.$$eval(".clip", (all) => all.map((clip) => [...clip.querySelectorAll("p")].map((p) => p.textContent)));

it("are listed with their pictures and their outcome, for whoever may correct", async () => {
  const client = gameClient(house.origin);
  const { gameId } = await createGame(client, "clips", "Friday");
  const camera = new Camera(sightingClient(house.engineAddress), gameId, painter);
  await disputedEvening(client, gameId, camera);
  const v = await open(gameId);
  await v.page.getByText("Disputed turns").click();
  await v.page.locator(".clip").nth(1).locator('[data-evidence="after"]').waitFor();
  expect(await wordsOf(v.page)).toEqual([
    ["Did Anna place a figure on this tile when it was laid?", "Answer: No"],
    [expect.stringContaining("This tile does not match its neighbour"), "Put right on the table"],
  ]);
  expect(await v.page.$$eval(".clip:nth-child(2) [data-evidence]", (all) => all.map((one) => one.textContent))).toEqual(["Before", "After"]);
  await v.page.locator(".clip").nth(1).scrollIntoViewIfNeeded();
  expectNear(await colourOf(v.page, ".clip:nth-child(2)", "before", WRONG.cell), CLOTH);
  expectNear(await colourOf(v.page, ".clip:nth-child(2)", "after", WRONG.cell), paintOf(WRONG.tile));
  expect((await v.page.locator(".header").boundingBox())!.y, "the page itself was not scrolled away").toBe(0);
  expect(await barriers(v.page)).toEqual([]);

  await v.page.locator(".clip").nth(1).locator("button.evidence").click();
  const dialog = v.page.locator("dialog.evidence-large");
  await dialog.getByText("Put right on the table").waitFor();
  await v.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(v.complaints).toEqual([]);
  expect(v.strangers).toEqual([]);
  await v.context.close();

  // Who only watches is not shown what somebody did wrong.
  const onlooker = await open(gameId, "?spectator");
  await onlooker.page.waitForSelector(".chart-card");
  await onlooker.page.waitForTimeout(500);
  expect(await onlooker.page.$$(".clips")).toEqual([]);
  await onlooker.context.close();
});

it("are not spoken of where there are none", async () => {
  const { gameId } = await createGame(gameClient(house.origin), "calm", "Sunday");
  const v = await open(gameId);
  const asked = v.page.waitForResponse((response) => response.url().includes("ListClips"));
  await v.page.reload();
  await asked;
  await v.page.waitForTimeout(300);
  expect(await v.page.$$(".clips")).toEqual([]);
  expect(v.complaints).toEqual([]);
  await v.context.close();
});
