// An evening as a family spends it, in Chromium against the one program that they start: two games
// in a row below one camera, and nobody sees a terminal.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GamePhase } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { fromTheNetwork, openBrowser, visit, type Visit } from "../support/browser";
import { bareTable, Evening, laidOut, picturesOf, playedGame, TableCamera, until, type PlayedGame } from "../support/evening";

// Of the game that is played twice, the first time so far as to end it.
const TURNS = 3;
const FIRST_TURNS = 2;

let browser: Browser;
let folder = "";
beforeAll(async () => {
  [browser, folder] = await Promise.all([openBrowser(), mkdtemp(join(tmpdir(), "tilewarden-table-"))]);
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("two games in a row", () => {
  let evening: Evening;
  let camera: TableCamera;
  let played: PlayedGame;
  let v: Visit;
  const bare = () => join(folder, "bare.jpg");
  const game = async (id = "") => (await evening.client.getGame({ gameId: id })).state!;
  const follow = async (turns: number, id: string) => {
    await camera.play(picturesOf(played, turns), evening);
    await until(`${turns} turns`, async () => (await game(id)).turn === turns);
    expect((await game(id)).findings).toEqual([]);
  };

  beforeAll(async () => {
    [played, evening] = await Promise.all([
      playedGame(join(folder, "game"), 21, TURNS, 3),
      Evening.begin(),
      laidOut(join(folder, "box.jpg"), 4, 24, 3),
      bareTable(bare(), browser),
    ]);
    camera = await TableCamera.over(join(folder, "camera"));
    camera.show(join(folder, "box.jpg"));
    v = await visit(browser, `${evening.origin}/`, { calm: true });
  }, 300_000);
  afterAll(async () => {
    camera?.stop();
    await v?.context.close();
    await evening?.end();
  });

  it("begins at a page with something to touch", async () => {
    await v.page.getByRole("heading", { name: "No game yet" }).waitFor();
    await v.page.getByRole("link", { name: "Start a game" }).click();
    await v.page.getByRole("heading", { name: "Which camera watches the table?" }).waitFor();
  });

  it("takes a camera, and shows what it sees: the box and who plays", async () => {
    await v.page.getByText("Another camera").click();
    await v.page.getByRole("textbox", { name: /^Another camera/ }).fill(`follow:${camera.folder}`);
    await v.page.getByRole("button", { name: "Use this" }).click();
    await v.page.waitForSelector(".camera-card[aria-pressed=true] img");
    await v.page.waitForSelector('[data-recognised="base.c1"]', { timeout: 30_000 });
    await v.page.waitForFunction(() => document.querySelectorAll("[data-seat]").length === 3);
  }, 60_000);

  it("is told who plays, and waits for the start tile", async () => {
    const names = ["Anna", "Ben", "Cleo"];
    const colours = played.truth.colours.slice(0, 3);
    const seats = await v.page.locator("[data-seat]").all();
    for (let i = seats.length; i > 0; --i) await v.page.getByRole("button", { name: `Remove player ${i}` }).click();
    for (const colour of colours) await v.page.click(`[data-add="${colour}"]`);
    for (let i = 0; i < 3; ++i) await v.page.getByRole("textbox", { name: `Name of player ${i + 1}` }).fill(names[i]!);
    // The tiles that showed the box are cleared away after the touch.
    await v.page.getByRole("button", { name: "Start", exact: true }).click();
    await v.page.getByText("Waiting for the first tile").waitFor();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    camera.show(bare());
    expect((await game()).players.map(({ name }) => name)).toEqual(names);
  });

  it("follows the game that the page began", async () => {
    await follow(FIRST_TURNS, (await game()).gameId);
  }, 150_000);

  it("stays when the game is ended on the page", async () => {
    const { gameId } = await game();
    await v.page.goto(`${evening.origin}/#/correct`);
    await v.page.getByRole("button", { name: "End the game" }).click();
    await v.page.getByRole("button", { name: "Confirm" }).click();
    await until("the end", async () => (await game(gameId)).phase === GamePhase.ENDED);
    await v.page.goto(`${evening.origin}/#/board`);
    await v.page.getByRole("heading", { name: "Final scores" }).waitFor();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(evening.alive).toBe(true);
    await v.page.goto(`${evening.origin}/#/camera`);
    await v.page.waitForSelector('[data-health="over"]');
  }, 60_000);

  it("can be put right after the end, is scored again and says so", async () => {
    const before = await game();
    await v.page.goto(`${evening.origin}/#/board`);
    await v.page.getByRole("link", { name: "Fix a mistake" }).click();
    await v.page.getByRole("button", { name: "Change points …" }).click();
    await v.page.click(`.points-editor [data-colour="${before.players[0]!.colour}"]`);
    await v.page.getByRole("button", { name: "One point more" }).click();
    await v.page.getByLabel("Why").fill("a farm that was missed");
    await v.page.waitForSelector('[data-preview="ready"]');
    await v.page.getByRole("button", { name: "Confirm" }).click();
    await v.page.waitForSelector(".turn-list");
    await v.page.goto(`${evening.origin}/#/board`);
    await v.page.getByText("Corrected after the end").waitFor();
    const after = await game();
    expect(after.phase).toBe(GamePhase.ENDED);
    expect(after.players[0]!.score).toBe(before.players[0]!.score + 1);
  }, 60_000);

  it("goes on with the next game by one touch: the same players, the next one begins", async () => {
    const before = await game();
    camera.show(bare());
    await v.page.click("[data-next-game]");
    await v.page.getByText("Waiting for the first tile").waitFor();
    const { gameId, players } = await game();
    expect(gameId).not.toBe(before.gameId);
    const names = before.players.map(({ name }) => name);
    expect(players.map(({ name }) => name)).toEqual([...names.slice(1), names[0]]);
    await follow(TURNS, gameId);
    expect((await game(before.gameId)).turn).toBe(FIRST_TURNS);
  }, 150_000);

  it("asks whether the game is over when the table was cleared, and ends it by one touch", async () => {
    const { gameId } = await game();
    camera.show(bare());
    await v.page.getByRole("heading", { name: "The table has been cleared. Is the game over?" }).waitFor({ timeout: 40_000 });
    expect((await game(gameId)).findings).toEqual([]);
    await v.page.click(".question [data-next-game]");
    await v.page.getByText("Waiting for the first tile").waitFor();
    expect((await game(gameId)).phase).toBe(GamePhase.ENDED);
    expect((await game()).gameId).not.toBe(gameId);
    expect(v.complaints).toEqual([]);
  }, 90_000);

  it("remembers the camera at the next start", async () => {
    await evening.startAgain();
    await v.page.goto(`${evening.origin}/#/new`);
    await v.page.waitForSelector(".camera-card[aria-pressed=true] img", { timeout: 30_000 });
  }, 60_000);
});

describe("without a camera", () => {
  let evening: Evening;
  let v: Visit;
  beforeAll(async () => {
    evening = await Evening.begin();
    v = await visit(browser, `${evening.origin}/#/new`, { calm: true });
  }, 60_000);
  afterAll(async () => {
    await v?.context.close();
    await evening?.end();
  });

  it("plays by touch: a tile, a place that is lit, a figure, next", async () => {
    await v.page.click("[data-by-hand]");
    await v.page.getByRole("button", { name: "Start", exact: true }).click();
    await v.page.waitForSelector('[data-by-hand="tile"]');
    await v.page.click('[data-tile="B.U"]');
    await v.page.waitForSelector(".place");
    await v.page.click("[data-next-place]");
    await v.page.waitForSelector('[data-by-hand="figure"]');
    await v.page.click('[data-figure-choice]:not([data-figure-choice="none"])');
    await v.page.click("[data-next]");
    await until("a turn", async () => (await evening.client.getGame({ gameId: "" })).state!.turn === 1);
    const state = (await evening.client.getGame({ gameId: "" })).state!;
    expect(state.byHand).toBe(true);
    expect(state.figures).toHaveLength(1);
    await v.page.waitForSelector('[data-by-hand="tile"]');
    expect(v.complaints).toEqual([]);
  }, 60_000);
});

describe("letting the tablet in", () => {
  let evening: Evening;
  let v: Visit;
  beforeAll(async () => {
    evening = await Evening.begin();
    v = await visit(browser, `${evening.origin}/#/tables`, { calm: true });
  }, 60_000);
  afterAll(async () => {
    await v?.context.close();
    await evening?.end();
  });
  const about = async () => (await (await fetch(`${evening.origin}/about.json`)).json()) as { addresses: string[]; fingerprint: string };

  it("takes one touch, says what the browser will say, and shows address and code", async () => {
    expect((await about()).fingerprint).toBe("");
    await v.page.click(".join summary");
    await v.page.click("[data-open-house]");
    await until("the page for the house", async () => (await about()).fingerprint !== "");
    const { addresses } = await about();
    // A machine without a network has no address to show.
    if (addresses.length === 0) return;
    await v.page.getByText("will warn about the certificate").waitFor();
    expect(await v.page.textContent(".join-address")).toBe(addresses[0]);
    expect(addresses[0]).toMatch(/^https:/);
    await v.page.getByRole("button", { name: "Show a code" }).click();
    const code = await v.page.textContent(".let-in-code");
    const port = new URL(addresses[0]!).port;
    const outside = await openBrowser(fromTheNetwork("tilewarden.test"));
    const tablet = await visit(outside, `https://tilewarden.test:${port}/#/pair/${code!.replace(/-/g, "")}`);
    await tablet.page.waitForSelector("main");
    await outside.close();
  }, 60_000);

  it("is remembered at the next start", async () => {
    await evening.startAgain();
    await until("the page for the house", async () => (await about()).fingerprint !== "");
  }, 60_000);
});
