// A phone's browser as the table's camera, over TLS, with Chromium's fake camera over the virtual
// table; and what happens to a phone on which all does not go well.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/axe";
import { openBrowser, visit, type Visit } from "../support/browser";
import { Evening, laidOut, playedGame, seat, until, type PlayedGame } from "../support/evening";
import { codeShown, invite, Phone, shotsOf, writeFilm } from "../support/phone";

const TURNS = 2;
describe("a phone as the camera", () => {
  let browser: Browser;
  let evening: Evening;
  let folder = "";
  let played: PlayedGame;
  let v: Visit;
  let phone: Phone;
  const film = () => join(folder, "film.mjpeg");
  const game = async () => (await evening.client.getGame({ gameId: "" })).state!;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tilewarden-phone-"));
    [browser, evening, played] = await Promise.all([
      openBrowser(),
      Evening.begin(),
      playedGame(join(folder, "game"), 21, TURNS, 3),
      laidOut(join(folder, "box.jpg"), 4, 24, 3),
    ]);
    await writeFilm(film(), [{ file: join(folder, "box.jpg"), seconds: 30 }]);
    v = await visit(browser, `${evening.origin}/#/new`, { calm: true });
  }, 120_000);
  afterAll(async () => {
    await phone?.close();
    await v?.context.close();
    await evening?.end();
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("scans a code, is asked for its camera, and shows what is found in it", async () => {
    const { address, code } = await invite(v.page);
    phone = await Phone.scan(film(), address, code);
    await phone.page.waitForFunction(() => document.querySelectorAll(".phone-found-tiles polygon").length > 15, undefined, { timeout: 30_000 });
    expect(await barriers(phone.page)).toEqual([]);
    await v.page.waitForSelector('[data-phone-sends="true"]');
    await v.page.waitForSelector('[data-recognised="base.c1"]', { timeout: 30_000 });
  }, 90_000);

  it("sees nothing else of the house", async () => {
    await phone.page.goto(phone.page.url().replace(/#.*/, "#/board"));
    await phone.is("live");
  });

  it("is followed as any camera, in a game begun before the box is cleared away, after a reload too", async () => {
    await seat(v.page, played, 3);
    await v.page.getByRole("button", { name: "Start", exact: true }).click();
    // What still lies there is the box: it was seen in the game before it is cleared away.
    await until("a look at the box", async () => (await evening.framesRead()) > 0);
    await writeFilm(film(), shotsOf(played, 0, TURNS, 2.5, 1, 60));
    await phone.reload();
    await until(`${TURNS} turns`, async () => (await game()).turn === TURNS);
    expect((await game()).findings).toEqual([]);
  }, 120_000);

  it("says so when the network is away, and goes on by itself", async () => {
    await phone.visit.context.setOffline(true);
    await phone.is("away");
    await phone.visit.context.setOffline(false);
    await phone.is("live");
  }, 60_000);

  it("gives way to another phone, and comes back by a touch", async () => {
    const { gameId } = await game();
    await v.page.goto(`${evening.origin}/#/camera/${gameId}`);
    await v.page.getByRole("button", { name: "Use another phone" }).click();
    const { address, code } = await codeShown(v.page);
    const second = await Phone.scan(film(), address, code);
    await phone.is("replaced");
    await phone.page.reload();
    await phone.is("replaced");
    await phone.page.getByRole("button", { name: "Use this phone again" }).click();
    await phone.is("live");
    await second.is("replaced");
    await second.close();
    expect((await game()).gameId).toBe(gameId);
    expect((await game()).findings).toEqual([]);
  }, 90_000);

  it("says so when the table has another camera", async () => {
    await v.page.goto(`${evening.origin}/#/new`);
    await v.page.getByText("Another camera").click();
    await v.page.getByRole("textbox", { name: /^Another camera/ }).fill(join(folder, "box.jpg"));
    await v.page.getByRole("button", { name: "Use this" }).click();
    await phone.is("not-chosen");
    expect(v.complaints).toEqual([]);
  }, 60_000);
});

it("asks for encryption where the browser lends its camera to encrypted pages alone", async () => {
  const evening = await Evening.begin();
  const browser = await openBrowser(["--host-resolver-rules=MAP tilewarden.test 127.0.0.1"]);
  const v = await visit(browser, `${evening.origin}/`, {});
  // A page at a name over http is no secure context; this machine's own gateway serves its names
  // only, so the page is opened here and told that it has no camera to lend.
  await v.page.addInitScript(() => Object.defineProperty(navigator, "mediaDevices", { value: undefined }));
  await v.page.goto(`${evening.origin}/?x#/phone`);
  await v.page.waitForSelector('[data-phone="insecure"]');
  await browser.close();
  await evening.end();
}, 60_000);

it("says so when it may not use the camera, or has none", async () => {
  const evening = await Evening.begin();
  const browser = await openBrowser();
  const v = await visit(browser, `${evening.origin}/#/phone`, {});
  await v.page.locator('[data-phone="refused"], [data-phone="no-camera"]').waitFor();
  expect(await barriers(v.page)).toEqual([]);
  await browser.close();
  await evening.end();
}, 60_000);
