// What is wrong is seen on every view, leads to the tile in question, and goes when it
// was put right by hand; what else must always be in sight.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GameState } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { barriers } from "../support/axe";
import { boardHolds, visit, type SizeName } from "../support/browser";
import { Camera, misfit, turnedTo, type Extra } from "../support/camera";
import { createGame, gameClient, playTurns, sightingClient } from "../support/players";
import { House } from "../support/services";
import { useStage } from "../support/stage";

const stage = useStage();
const VIEWS = ["scores", "timeline", "correct", "tables", "camera", "tiles", "new"] as const;
const LONG = "The great Carcassonne championship of the Upper Lower Village";

describe("a tile that may not lie there", () => {
  let state: GameState;
  let wrong: Extra;
  beforeAll(async () => {
    const { gameId } = await createGame(stage.client, "findings", "Friday evening");
    await playTurns(stage.client, gameId, 1, 20);
    state = (await stage.client.getGame({ gameId })).state!;
    const { tiles } = await stage.client.getTileSet({ tileSet: state.tileSet });
    const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
    await camera.see(state);
    wrong = misfit(state, tiles);
    await camera.see(state, wrong);
  });

  it.each(["tablet", "upright", "phone"] as const)("is told on every view: %s", async (size) => {
    const v = await visit(stage.browser, `${stage.house.origin}/#/scores/${state.gameId}`, { size, calm: true });
    for (const view of VIEWS) {
      await v.page.goto(`${stage.house.origin}/#/${view}/${state.gameId}`);
      const alert = v.page.locator('[data-alert="edge-mismatch"]');
      await alert.waitFor();
      const box = (await alert.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(v.page.viewportSize()!.width);
    }
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });

  it("is one touch away, and goes at once when the tile is entered by hand", async () => {
    const v = await visit(stage.browser, `${stage.house.origin}/#/scores/${state.gameId}`, { calm: true });
    await v.page.getByRole("link", { name: "Show me where" }).click();
    await v.page.waitForSelector(`[data-finding-tile="${wrong.cell.x},${wrong.cell.y}"]`);
    await v.page.getByRole("link", { name: "Camera wrong? Correct by hand" }).click();
    // That very cell, with what may lie there.
    await v.page.waitForSelector(".turn-editor .option");
    expect(decodeURIComponent(v.page.url())).toContain(`#/correct/${state.gameId}/${wrong.cell.x},${wrong.cell.y}`);
    await v.page.waitForSelector('[data-preview="ready"]');
    await v.page.getByRole("button", { name: "Confirm" }).click();
    await v.page.waitForSelector("[data-alert]", { state: "detached" });
    const after = (await stage.client.getGame({ gameId: state.gameId })).state!;
    expect(after.findings).toEqual([]);
    expect(after.tiles.some(({ cell }) => cell!.x === wrong.cell.x && cell!.y === wrong.cell.y)).toBe(true);
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });
});

describe("a coat of arms that a follower hid", () => {
  it("is no offence when he leaves and it shows: the points are put right", async () => {
    const { gameId } = await createGame(stage.client, "hidden", "A coat of arms");
    const state = async () => (await stage.client.getGame({ gameId })).state!;
    const { tiles } = await stage.client.getTileSet({ tileSet: (await state()).tileSet });
    const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
    const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
    await camera.see(await state());
    // In truth a B.F: he stands on its coat of arms.
    const laid = turnedTo(tiles, "B.G", { x: 0, y: -1 }, "cfcf");
    await camera.see(await state(), { ...laid, follower: { colour: "red", spot: { x: 0.5, y: 0.5 } } });
    await boardHolds(v.page, 2);
    await camera.see(await state(), turnedTo(tiles, "B.E", { x: 0, y: -2 }, "ffcf"));
    await v.page.waitForFunction(() => document.querySelector('[data-player="red"] [data-score]')?.textContent === "6");
    const over = await state();
    over.tiles = over.tiles.filter(({ tile }) => tile !== "B.G");
    over.figures = [];
    await camera.see(over, { ...laid, tile: "B.F" });
    await v.page.waitForFunction(() => document.querySelector('[data-player="red"] [data-score]')?.textContent === "8");
    expect(await v.page.$$("[data-alert], [data-finding-tile], .question")).toEqual([]);
    expect((await state()).findings).toEqual([]);
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });
});

describe("the header", () => {
  let gameId = "";
  beforeAll(async () => {
    const players = [
      { colour: "red", name: "Maximiliane Charlotte von Hohenstein" },
      { colour: "blue", name: "Ben" },
    ];
    gameId = (await createGame(stage.client, "long", LONG, players)).gameId;
    await playTurns(stage.client, gameId, 1, 8);
  });
  afterAll(() => stage.house.restartGateway());

  it.each(["tablet", "upright", "phone"] as const)("shows long names whole, and keeps the settings in sight while the connection is lost: %s", async (size: SizeName) => {
    await stage.house.restartGateway();
    const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { size, calm: true });
    await boardHolds(v.page, 9);
    // A letter may hang out a little; a line that is cut off is more than that.
    const cut = (selector: string) =>
      v.page.$$eval(selector, (all) => all.filter((e) => e.scrollHeight > e.clientHeight + 8 || e.scrollWidth > e.clientWidth + 1).map((e) => `${e.className}: ${e.scrollWidth} of ${e.clientWidth}, ${e.scrollHeight} of ${e.clientHeight}`));
    expect(await v.page.textContent(".game-name")).toBe(LONG);
    expect(await cut(".game-name, .facts")).toEqual([]);
    await stage.house.stopGateway();
    await v.page.getByText("What you see may be out of date").waitFor();
    const { width, height } = v.page.viewportSize()!;
    const settings = (await v.page.getByRole("button", { name: "Settings" }).boundingBox())!;
    expect(settings.x + settings.width).toBeLessThanOrEqual(width);
    expect(settings.y + settings.height).toBeLessThanOrEqual(height);
    expect(await v.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await v.context.close();
  });

  it("says so when an address is of no game here, and leads on", async () => {
    await stage.house.restartGateway();
    const v = await visit(stage.browser, `${stage.house.origin}/#/board/nosuchgame`);
    await v.page.getByRole("heading", { name: "This game is not here" }).waitFor();
    expect(await barriers(v.page)).toEqual([]);
    await v.page.getByRole("link", { name: "Show all tables" }).click();
    await v.page.waitForSelector(`[data-game="${gameId}"]`);
    await v.context.close();
  });
});

it("room that runs out is told on every view before it has, and the game that is played goes on", async () => {
  const house = await House.open("127.0.0.1:0", ["--quota", "8"]);
  const client = gameClient(house.origin);
  const { gameId } = await createGame(client, "before", "Friday evening");
  await writeFile(join(house.folder, "old"), Buffer.alloc(7.5 * 2 ** 20));
  const v = await visit(stage.browser, `${house.origin}/#/board/${gameId}`, { calm: true });
  for (const view of ["board", "scores", "correct"]) {
    await v.page.goto(`${house.origin}/#/${view}/${gameId}`);
    await v.page.locator('[data-alert="warning"]', { hasText: "soon no game can begin" }).waitFor();
  }
  expect(await barriers(v.page)).toEqual([]);
  await writeFile(join(house.folder, "more"), Buffer.alloc(2 ** 20));
  await expect(createGame(client, "after", "Another table")).rejects.toThrow("tilewarden archive");
  await playTurns(client, gameId, 1, 3);
  expect(v.complaints).toEqual([]);
  await v.context.close();
  await house.close();
});
