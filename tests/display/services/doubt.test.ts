// A doubtful moment, looked at a second time: every device at the table shows what the camera saw
// and what hangs on it, and whoever may correct answers from where they sit.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Role } from "../../../services/display/src/gen/tilewarden/v1/access_pb";
import { barriers } from "../support/axe";
import { fromTheNetwork, openBrowser, visit, type SizeName, type Visit } from "../support/browser";
import { Camera } from "../support/camera";
import { colourOf, expectNear } from "../support/evidence";
import { CLOTH, paintOf, Painter } from "../support/painter";
import { createGame, engineClient, pairingCode, sightingClient } from "../support/players";
import { House } from "../support/services";

// A name that is not this machine's own, for the gateway, although it is reached there.
const NAME = "sofa.test";
const LAID = { tile: "B.E", cell: { x: 0, y: -1 }, rotation: 2 };

let house: House;
let browser: Browser;
let painter: Painter;

beforeAll(async () => {
  house = await House.open("0.0.0.0:0");
  browser = await openBrowser(fromTheNetwork(NAME));
  painter = await Painter.open(browser);
});
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

async function letIn(role: Role, size: SizeName, gameId: string): Promise<Visit> {
  const { port } = new URL(house.origin);
  const code = (await pairingCode(house.engineAddress, role)).replace("-", "");
  const v = await visit(browser, `https://${NAME}:${port}/#/pair/${code}`, { size, calm: true });
  await v.page.waitForURL(/#\/board$/);
  await v.page.goto(`https://${NAME}:${port}/#/board/${gameId}`);
  return v;
}

const mayAnswer = (page: Page) => page.$$eval("[data-answer]", (all) => all.map((answer) => !(answer as HTMLButtonElement).disabled));

it("is seen by all and answered from a phone", async () => {
  const game = engineClient(house.engineAddress);
  const { gameId } = await createGame(game, "doubt", "Friday");
  const stateOf = async () => (await game.getGame({ gameId })).state!;
  const camera = new Camera(sightingClient(house.engineAddress), gameId, painter);
  const [phone, wall] = await Promise.all([letIn(Role.REFEREE, "phone", gameId), letIn(Role.DISPLAY, "tablet", gameId)]);
  const state = await stateOf();
  await camera.see(state);
  // The hand covers the place twice: laid, and perhaps claimed and taken home.
  await camera.see(state, LAID, 2);

  for (const { page } of [phone, wall]) {
    await page.waitForSelector('.question [data-evidence="now"]');
    await page.waitForSelector('[data-question][data-guarded="false"]');
    await page.getByText("Turn 1 · 4 points depend on the answer.").waitFor();
    expectNear(await colourOf(page, ".question", "before", LAID.cell), CLOTH);
    expectNear(await colourOf(page, ".question", "now", LAID.cell), paintOf(LAID.tile));
    // All of it is in sight, and the answers are not pushed out.
    const { width, height } = page.viewportSize()!;
    for (const part of await page.$$(".question [data-evidence] svg, [data-answer], .question .quiet")) {
      const box = (await part.boundingBox())!;
      expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(true);
    }
    expect(await barriers(page)).toEqual([]);
  }
  expect(await mayAnswer(wall.page)).toEqual([false, false]);

  // A closer look, with the question and what hangs on it beside it; the question waits.
  const dialog = phone.page.locator("dialog.evidence-large");
  await phone.page.locator(".question button.evidence").click();
  await dialog.getByText("Did Anna place a figure on this tile when it was laid?").waitFor();
  await dialog.getByText("Turn 1 · 4 points depend on the answer.").waitFor();
  expect(await barriers(phone.page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });

  expect(await mayAnswer(phone.page)).toEqual([true, true]);
  await phone.page.click('[data-answer="1"]');
  for (const { page } of [phone, wall]) await page.waitForSelector("[data-question]", { state: "detached" });
  expect(await wall.page.$$("[data-evidence]")).toEqual([]);
  await wall.page.waitForFunction(() => document.querySelector('[data-player="red"] [data-score]')?.textContent === "0");
  expect((await stateOf()).questions).toEqual([]);
  for (const v of [phone, wall]) {
    expect(v.complaints).toEqual([]);
    expect(v.strangers).toEqual([]);
    await v.context.close();
  }
});
