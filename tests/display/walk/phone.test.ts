// A whole game through phones: chosen on the page, scanned, the network lost, the page loaded again,
// a second phone taking over. `scripts/walk-a-phone-game FOLDER`.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, SIZES, visit, type Visit } from "../support/browser";
import { Evening, laidOut, playedGame, seat, until, type PlayedGame } from "../support/evening";
import { codeShown, invite, Phone, shotsOf, writeFilm } from "../support/phone";
import { scoresAfter } from "../support/truth";

const TURNS = 30;
const PARTS = [0, 10, 20, TURNS] as const;
const LOOK_S = 2.2;
const HAND_S = 0.5;
const HOLD_S = 60;
const SEED = 22;

const folder = process.env["SCREENSHOTS"] ?? "walk";
let browser: Browser;
let evening: Evening;
let played: PlayedGame;
let work = "";
let v: Visit;
let phone: Phone;
let other: Phone;
let shots = 0;
const film = (name: string) => join(work, `${name}.mjpeg`);
const game = async (id = "") => (await evening.client.getGame({ gameId: id })).state!;
const followedTo = async (turn: number) => {
  for (const end = Date.now() + 420_000; Date.now() < end; ) {
    const state = await game();
    expect(state.findings.filter(({ code }) => code !== "figure-not-returned")).toEqual([]);
    if (state.turn === turn) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${(await game()).turn} turns, not ${turn}`);
};
async function look(name: string, { page }: Phone): Promise<void> {
  const step = `${String(++shots).padStart(2, "0")}-${name}`;
  for (const [size, viewport] of Object.entries({ phone: SIZES.phone, lying: { width: 844, height: 390 } })) {
    await page.setViewportSize(viewport);
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${step}-${size}.png`) });
  }
  await page.setViewportSize(SIZES.phone);
}

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  work = await mkdtemp(join(tmpdir(), "tilewarden-phone-"));
  browser = await openBrowser();
  [evening, played] = await Promise.all([
    Evening.begin(),
    playedGame(join(work, "game"), SEED, TURNS, 3),
    laidOut(join(work, "box.jpg"), 4, 24, 3),
  ]);
  await writeFilm(film("first"), [{ file: join(work, "box.jpg"), seconds: HOLD_S }]);
  v = await visit(browser, `${evening.origin}/#/new`, { calm: true });
}, 900_000);
afterAll(async () => {
  await phone?.close();
  await other?.close();
  await v?.context.close();
  await evening?.end();
  await browser?.close();
  if (work) await rm(work, { recursive: true, force: true });
});

it("a phone is scanned, and sees the box", async () => {
  const { address, code } = await invite(v.page);
  await v.page.screenshot({ path: join(folder, "00-invited.png") });
  phone = await Phone.scan(film("first"), address, code);
  await phone.page.waitForFunction(() => document.querySelectorAll(".phone-found-tiles polygon").length > 15, undefined, { timeout: 60_000 });
  await look("sees-the-box", phone);
  await v.page.waitForSelector('[data-recognised="base.c1"]', { timeout: 60_000 });
  await seat(v.page, played, 3);
  await v.page.getByRole("button", { name: "Start", exact: true }).click();
  // What still lies there is the box: it is cleared away once it was seen in the game.
  await until("a look at the box", async () => (await evening.framesRead()) > 0);
}, 500_000);

it("is followed; the network is lost and comes back", async () => {
  await writeFilm(film("first"), shotsOf(played, PARTS[0], PARTS[1], LOOK_S, HAND_S, HOLD_S));
  await phone.reload();
  await followedTo(PARTS[1]);
  await look("followed", phone);
  await phone.visit.context.setOffline(true);
  await phone.is("away");
  await look("away", phone);
  await phone.visit.context.setOffline(false);
  await phone.is("live");
}, 500_000);

it("goes on after a reload", async () => {
  await writeFilm(film("first"), shotsOf(played, PARTS[1], PARTS[2], LOOK_S, HAND_S, HOLD_S));
  await phone.reload();
  await followedTo(PARTS[2]);
}, 500_000);

it("a second phone takes over, and the game ends as it was played", async () => {
  await writeFilm(film("second"), shotsOf(played, PARTS[2], PARTS[3], LOOK_S, HAND_S, HOLD_S));
  await v.page.goto(`${evening.origin}/#/camera/${(await game()).gameId}`);
  await v.page.getByRole("button", { name: "Use another phone" }).click();
  const { address, code } = await codeShown(v.page);
  other = await Phone.scan(film("second"), address, code);
  await phone.is("replaced");
  await look("replaced", phone);
  await followedTo(PARTS[3]);
  const traffic = await other.page.locator(".phone-traffic span").textContent();
  const state = await game();
  console.log(`${TURNS} turns through two phones; ${state.questions.length} questions, ${state.findings.length} findings; scores ${state.players.map(({ score }) => score).join(" ")}; ${traffic}`);
  expect(state.players.map(({ score }) => score)).toEqual(scoresAfter(played.truth, TURNS));
  expect([state.findings, state.questions]).toEqual([[], []]);
  expect(v.complaints).toEqual([]);
}, 600_000);
