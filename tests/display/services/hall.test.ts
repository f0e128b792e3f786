// The hall: many tables on a wall, which nobody reloads, and the referees who go about it.
import { describe, expect, it } from "vitest";
import { RefereeStep } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { barriers } from "../support/axe";
import { visit, type Visit } from "../support/browser";
import { Camera, misfit } from "../support/camera";
import { createGame, gameClient, playTurns, sightingClient } from "../support/players";
import { House } from "../support/services";
import { useStage } from "../support/stage";

const stage = useStage();

const stateOf = async (gameId: string) => (await stage.client.getGame({ gameId })).state!;
const holds = (v: Visit, gameId: string, tiles: number) =>
  v.page.waitForFunction(
    ([id, n]) => {
      const drawn = [...document.querySelectorAll(`[data-game="${id}"] .tile`)];
      // A tile whose type is not known yet is a plain field.
      return drawn.length === n && drawn.every((tile) => tile.querySelectorAll("path").length > 2);
    },
    [gameId, tiles] as const,
  );

describe("the hall", () => {
  it("shows every table that plays, with its board and scores", async () => {
    const { gameId } = await createGame(stage.client, "hall", "Hall table");
    await playTurns(stage.client, gameId, 1, 8);
    const v = await visit(stage.browser, `${stage.house.origin}/#/hall`);
    await holds(v, gameId, 9);
    const state = await stateOf(gameId);
    expect(await v.page.$$eval(`[data-game="${gameId}"] .hall-players b`, (b) => b.map((e) => Number(e.textContent)))).toEqual(
      state.players.map((player) => player.score),
    );
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });

  it("draws a board whose first reading failed, without waiting for its next turn", async () => {
    const { gameId } = await createGame(stage.client, "lost", "Lost answer");
    await playTurns(stage.client, gameId, 1, 4);
    for (const call of ["GetGame", "GetTileSet"]) {
      // Nothing is asked before the calls can be held up.
      const v = await visit(stage.browser, "about:blank", { shelf: false });
      let lost = 0;
      await v.page.route(`**/tilewarden.v1.GameService/${call}`, (route) => (lost++ < 2 ? route.abort() : route.continue()));
      await v.page.goto(`${stage.house.origin}/#/hall`);
      await holds(v, gameId, 5);
      expect(lost).toBeGreaterThan(2);
      await v.context.close();
    }
  });

  it("shows what was put right, though the turn stays the same", async () => {
    const { gameId } = await createGame(stage.client, "same-turn", "Same turn");
    await playTurns(stage.client, gameId, 1, 2);
    const v = await visit(stage.browser, `${stage.house.origin}/#/hall`);
    await holds(v, gameId, 3);
    const figures = (n: number) =>
      v.page.waitForFunction(([id, count]) => document.querySelectorAll(`[data-game="${id}"] .figure`).length === count, [gameId, n] as const);
    await figures(2);
    const { colour, tile, cell, rotation } = (await stateOf(gameId)).tiles.find((t) => t.turn === 2)!;
    const turn = { colour, tile, cell: cell!, rotation };
    const { outcome } = await stage.client.correctTurn({ requestId: "without", gameId, turnNumber: 2, turn });
    expect(outcome.case).toBe("state");
    await figures(1);
    await v.context.close();
  });
});

describe("the referee's queue", () => {
  it("takes a call from its table to a referee, who comes, and is done", async () => {
    const { gameId } = await createGame(stage.client, "calls", "Table 7");
    await createGame(stage.client, "calms", "Table 8");
    await playTurns(stage.client, gameId, 1, 3);
    const table = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`);
    const referee = await visit(stage.browser, `${stage.house.origin}/#/hall`);
    const other = await visit(stage.browser, `${stage.house.origin}/#/hall`);
    const waits = (v: Visit) => v.page.locator(`[data-wait="${gameId}"]`);
    const call = table.page.locator("[data-call]");

    // Called by mistake, and taken back.
    await table.page.getByRole("button", { name: "Call the referee" }).click();
    await call.getByText("The referee has been called").waitFor();
    await table.page.getByRole("button", { name: "Cancel the call" }).click();
    await table.page.getByRole("button", { name: "Call the referee" }).click();

    await waits(referee).getByText("Called").waitFor();
    await waits(other).waitFor();
    expect(await referee.page.locator("[data-wait]").count(), "only the table that called").toBe(1);
    const face = await waits(referee).locator("time").innerText();
    expect(face).toMatch(/0:[0-5][0-9]/);
    await referee.page.waitForFunction(([id, then]) => document.querySelector(`[data-wait="${id}"] time`)?.textContent !== then, [gameId, face] as const);
    expect(await barriers(referee.page)).toEqual([]);

    await waits(referee).getByRole("button", { name: "On my way" }).click();
    await waits(referee).getByText("The referee is on the way").waitFor();
    await waits(other).getByText("The referee is on the way").waitFor();
    expect(await waits(other).getByRole("button", { name: "On my way" }).count()).toBe(0);
    await call.getByText("The referee is on the way").waitFor();
    expect(await barriers(table.page)).toEqual([]);

    // Something came up, and then not.
    await waits(referee).getByRole("button", { name: "I can’t come" }).click();
    await call.getByText("The referee has been called").waitFor();
    await waits(referee).getByRole("button", { name: "On my way" }).click();

    // One touch to the table, back, and done.
    await waits(referee).locator("a").click();
    await referee.page.waitForURL(new RegExp(`#/board/${gameId}$`));
    await referee.page.goBack();
    await waits(referee).getByRole("button", { name: "Done" }).click();
    await waits(referee).waitFor({ state: "detached" });
    await waits(other).waitFor({ state: "detached" });
    await referee.page.getByText("No table needs the referee.").waitFor();
    await table.page.getByRole("button", { name: "Call the referee" }).waitFor();
    for (const v of [table, referee, other]) {
      expect(v.complaints).toEqual([]);
      await v.context.close();
    }
  });

  it("outlives the engine service, and lists what is to be put right without a call", async () => {
    const { gameId: called } = await createGame(stage.client, "outlives", "Table 9");
    await stage.client.callReferee({ requestId: "outlives-call", gameId: called });
    const { gameId: wrong } = await createGame(stage.client, "wrong", "Table 10");
    await playTurns(stage.client, wrong, 1, 12);
    const state = await stateOf(wrong);
    const { tiles } = await stage.client.getTileSet({ tileSet: state.tileSet });
    const camera = new Camera(sightingClient(stage.house.engineAddress), wrong);
    await camera.see(state);
    await camera.see(state, misfit(state, tiles));
    await stage.house.restartEngine();
    const v = await visit(stage.browser, `${stage.house.origin}/#/hall`);
    await v.page.locator(`[data-wait="${wrong}"]`).getByText("1 thing to fix").waitFor();
    expect(await v.page.$$eval("[data-wait]", (rows) => rows.map((row) => row.getAttribute("data-wait"))), "oldest first").toEqual([called, wrong]);
    // Who may only watch sees who waits, and has no say in it.
    const wall = await visit(stage.browser, `${stage.house.origin}/?spectator#/hall`);
    await wall.page.locator(`[data-wait="${wrong}"]`).waitFor();
    expect(await wall.page.getByRole("button", { name: "On my way" }).count()).toBe(0);
    expect(await wall.page.getByRole("combobox").count()).toBe(0);
    for (const [gameId, requestId] of [[called, "a"], [wrong, "b"]] as const) await stage.client.answerCall({ requestId: `done-${requestId}`, gameId, step: RefereeStep.DONE });
    for (const open of [v, wall]) {
      expect(open.complaints).toEqual([]);
      await open.context.close();
    }
  });

  it("sounds when somebody new waits, where the device wants sounds", async () => {
    const { gameId } = await createGame(stage.client, "sounds", "Table 14");
    const v = await visit(stage.browser, "about:blank", { shelf: false });
    await v.page.addInitScript(() => {
      const real = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function () {
        document.documentElement.dataset["notes"] = String(Number(document.documentElement.dataset["notes"] ?? 0) + 1);
        return real.call(this);
      };
    });
    const count = () => v.page.evaluate(() => Number(document.documentElement.dataset["notes"] ?? 0));
    await v.page.goto(`${stage.house.origin}/?sound#/hall`);
    await v.page.locator(`[data-game="${gameId}"]`).waitFor();
    // For whoever waits already.
    await v.page.waitForTimeout(500);
    const before = await count();
    const notes = (wanted: number) => v.page.waitForFunction((n) => Number(document.documentElement.dataset["notes"] ?? 0) === n, before + wanted);
    const row = v.page.locator(`[data-wait="${gameId}"]`);
    await stage.client.callReferee({ requestId: "sounds-1", gameId });
    await row.waitFor();
    await notes(2);
    await row.getByRole("button", { name: "On my way" }).click();
    await row.getByRole("button", { name: "Done" }).click();
    await row.waitFor({ state: "detached" });
    await notes(2);
    await stage.client.callReferee({ requestId: "sounds-2", gameId });
    await notes(4);
    await stage.client.callReferee({ requestId: "sounds-3", gameId, withdrawn: true });
    await v.context.close();
  });

  it("is not there where one table plays alone", async () => {
    const alone = await House.open();
    try {
      const { gameId } = await createGame(gameClient(alone.origin), "alone", "At home");
      const v = await visit(stage.browser, "about:blank", { shelf: false });
      // Its list is read, and there is nobody to call.
      const listed = v.page.waitForResponse((response) => response.url().endsWith("/ListGames"));
      await v.page.goto(`${alone.origin}/#/board/${gameId}`);
      await v.page.locator(".player").first().waitFor();
      await listed;
      await v.page.waitForTimeout(1_000);
      expect(await v.page.locator("[data-call]").count()).toBe(0);
      await v.context.close();
    } finally {
      await alone.close();
    }
  });
});

describe("clocks", () => {
  it("show the turn and the game, and what each may still think once a referee limits it", async () => {
    const { gameId } = await createGame(stage.client, "clocks", "Table 11");
    await playTurns(stage.client, gameId, 1, 2);
    const v = await visit(stage.browser, `${stage.house.origin}/#/hall`);
    const tile = v.page.locator(`[data-game="${gameId}"]`);
    const seconds = async (which: string) => {
      const [s = 0, m = 0, h = 0] = (await tile.locator(`[data-clock="${which}"]`).innerText()).split(":").reverse().map(Number);
      return s + 60 * m + 3600 * h;
    };
    const [turn, game] = [await seconds("turn"), await seconds("game")];
    expect(game).toBeGreaterThanOrEqual(turn);
    await v.page.waitForTimeout(2_200);
    expect(await seconds("turn")).toBeGreaterThan(turn);
    // A tile starts the next turn.
    await v.page.waitForTimeout(6_000);
    await playTurns(stage.client, gameId, 3, 3);
    await v.page.waitForFunction((id) => document.querySelector(`[data-game="${id}"] small`)?.textContent === "Turn 3", gameId);
    expect(await seconds("turn")).toBeLessThan(7);
    expect(await seconds("game")).toBeGreaterThan(7);

    expect(await tile.locator(".hall-players time").count(), "no limit yet").toBe(0);
    await v.page.getByLabel("Thinking time per player").selectOption({ label: "20 min" });
    await tile.locator(".hall-players time").first().waitFor();
    expect(await tile.locator(".hall-players time").allInnerTexts()).toEqual(expect.arrayContaining([expect.stringMatching(/^(20:00|19:[0-5][0-9])$/)]));
    // The table sees it, too, and who is to move loses time.
    const table = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`);
    const running = table.page.locator('.player[aria-current="true"] .player-clock');
    await running.waitFor();
    const before = await running.innerText();
    await table.page.waitForFunction((then) => (document.querySelector('.player[aria-current="true"] .player-clock') as HTMLElement).innerText !== then, before);
    await v.page.getByLabel("Thinking time per player").selectOption({ label: "no limit" });
    await running.waitFor({ state: "detached" });
    for (const open of [v, table]) {
      expect(open.complaints).toEqual([]);
      await open.context.close();
    }
  });
});

it("a table is hidden on this device, stays so, and is brought back", async () => {
  const { gameId } = await createGame(stage.client, "hides", "Table 12");
  const v = await visit(stage.browser, `${stage.house.origin}/#/hall`);
  const shown = v.page.locator(`[data-game="${gameId}"]`);
  const chip = v.page.locator(`[data-hidden="${gameId}"]`);
  await shown.getByRole("button", { name: "Hide Table 12" }).click();
  await shown.waitFor({ state: "detached" });
  await v.page.reload();
  await chip.waitFor();
  expect(await shown.count()).toBe(0);
  // A call from there is not in this referee's queue, and not lost either.
  await stage.client.callReferee({ requestId: "hides-call", gameId });
  await chip.getByText("waiting").waitFor();
  expect(await v.page.locator(`[data-wait="${gameId}"]`).count()).toBe(0);
  expect(await barriers(v.page)).toEqual([]);
  const elsewhere = await visit(stage.browser, `${stage.house.origin}/#/hall`);
  await elsewhere.page.locator(`[data-wait="${gameId}"]`).waitFor();
  await elsewhere.context.close();

  await chip.click();
  await shown.waitFor();
  await v.page.locator(`[data-wait="${gameId}"]`).waitFor();
  expect(await v.page.evaluate(() => localStorage.getItem("tilewarden.hidden"))).toBeNull();
  await stage.client.callReferee({ requestId: "hides-back", gameId, withdrawn: true });
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

it("a device leaves its table for the list of all, and the way back does not lead there", async () => {
  const { gameId } = await createGame(stage.client, "leaves", "Table 13");
  const v = await visit(stage.browser, `${stage.house.origin}/#/tables`);
  await v.page.locator(`[data-game="${gameId}"]`).click();
  await v.page.getByRole("button", { name: "Settings" }).click();
  // The engine's own machine needs no code, so that there is nothing to disconnect.
  expect(await v.page.getByRole("button", { name: "Disconnect this device" }).count()).toBe(0);
  await v.page.getByRole("button", { name: "Leave this table" }).click();
  await v.page.waitForURL(/#\/tables$/);
  await v.page.locator("dialog").waitFor({ state: "detached" });
  await v.page.goBack();
  expect(v.page.url()).not.toContain(gameId);
  expect(v.complaints).toEqual([]);
  await v.context.close();
});
