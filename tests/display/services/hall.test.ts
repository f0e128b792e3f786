// The hall: many tables on a wall, which nobody reloads.
import { describe, expect, it } from "vitest";
import { visit, type Visit } from "../support/browser";
import { createGame, playTurns } from "../support/players";
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
