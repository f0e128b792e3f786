// Special figures have drawings of their own: on the board, among choices, in supplies.
import { expect, it } from "vitest";
import { FigureKind } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { boardHolds, visit } from "../support/browser";
import { playWhateverFits } from "../support/players";
import { useStage } from "../support/stage";

const stage = useStage();

it("an abbot is drawn as one", async () => {
  const players = [{ colour: "red", name: "Anna" }, { colour: "blue", name: "Ben" }];
  const { gameId } = (await stage.client.createGame({ requestId: "abbot", tileSet: "base.c2", rules: { abbot: "true" }, players, placeStartTile: true })).state!;
  const { tiles } = await stage.client.getTileSet({ gameId });
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
  await boardHolds(v.page, 1);
  expect(await v.page.$$eval('.player [data-kind="ABBOT"]:not(.away)', (icons) => icons.length)).toBe(2);
  // The first tile that an abbot may be set on.
  const cell = { x: 0, y: 1 };
  const { choices } = await stage.query.listChoices({ gameId, cell, colour: "red" });
  const isAbbot = ({ kind }: { kind: FigureKind }) => kind === FigureKind.ABBOT;
  const choice = choices.find(({ deployments }) => deployments.some(isAbbot))!;
  expect(tiles.some(({ id }) => id === choice.tile)).toBe(true);
  await stage.client.playTurn({
    requestId: "abbot-1",
    gameId,
    turn: { colour: "red", tile: choice.tile, rotation: choice.rotation, cell, deployment: choice.deployments.find(isAbbot)! },
  });
  await v.page.waitForSelector('.board .figure[data-kind="ABBOT"]');
  await v.page.waitForSelector('[data-player="red"] .away[data-kind="ABBOT"]');
  expect(await v.page.getAttribute('[data-player="red"] .supply', "aria-label")).toContain("abbot in play");
  await v.page.goto(`${stage.house.origin}/#/correct/${gameId}/1`);
  await v.page.waitForSelector('[data-figure-choice] .figure[data-kind="ABBOT"]');
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

it("the Ark stands on the board, and prophets wait in the supply", async () => {
  const players = [{ colour: "red", name: "Anna" }, { colour: "blue", name: "Ben" }];
  const { gameId } = (await stage.client.createGame({ requestId: "ark", tileSet: "ark", players, placeStartTile: true })).state!;
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
  await boardHolds(v.page, 1);
  expect(await v.page.$$eval('.player [data-kind="PROPHET"]:not(.away)', (icons) => icons.length)).toBe(2);
  // Until a city is complete and the Ark enters.
  await playWhateverFits(stage.client, stage.query, gameId, 40, (state) => state.neutralFigures.length > 0);
  await v.page.waitForSelector('.board .figure-ark[data-kind="ARK"]');
  // As the events told it, and as the state does.
  await v.page.reload();
  await v.page.waitForSelector('.board .figure-ark[data-kind="ARK"]');
  expect(v.complaints).toEqual([]);
  await v.context.close();
});
