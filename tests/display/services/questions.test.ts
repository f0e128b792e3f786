// Questions: what the camera could not tell is asked at the table, answered with
// one finger, and applied.
import { expect, it } from "vitest";
import { FigureKind, SegmentKind, type GameState } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { rotatedPoint } from "../../../services/display/src/model/grid";
import { barriers } from "../support/axe";
import { boardHolds, visit } from "../support/browser";
import { Camera, turnedTo, twoCities } from "../support/camera";
import { createGame, joinGame, sightingClient } from "../support/players";
import { useStage } from "../support/stage";

const stage = useStage();

const stateOf = async (gameId: string) => (await stage.client.getGame({ gameId })).state!;
const scoreOf = (state: GameState, colour: string) => state.players.find((player) => player.colour === colour)!.score;

it("a claim nobody saw is asked in two pictures, announced, answered by keyboard and taken back", async () => {
  const { gameId } = await createGame(stage.client, "two", "Two pictures");
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  const state = await stateOf(gameId);
  await camera.see(state);
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
  await boardHolds(v.page, 1);
  // The hand covers the place twice: laid, and perhaps claimed and taken home.
  await camera.see(state, { tile: "B.E", cell: { x: 0, y: -1 }, rotation: 2 }, 2);

  await v.page.getByRole("heading", { name: "Did Anna place a figure on this tile when it was laid?" }).waitFor();
  expect(await v.page.textContent("[data-announcer]")).toContain("Did Anna place a figure on this tile when it was laid?");
  await boardHolds(v.page, 2);
  expect(await v.page.$$eval("[data-answer] > span", (words) => words.map((w) => w.textContent))).toEqual(["Yes: City", "No"]);
  // The picture shows what it asks: with the follower, and without.
  expect(await v.page.$$eval("[data-answer]", (answers) => answers.map((a) => a.querySelectorAll(".figure").length))).toEqual([1, 0]);
  expect(scoreOf(await stateOf(gameId), "red")).toBe(4);

  // Which turn, and what hangs on it; and no touch meant for the board answers it.
  await v.page.getByText("Turn 1 · 4 points depend on the answer.").waitFor();
  await v.page.waitForSelector('[data-question][data-guarded="false"]');
  await v.page.focus('[data-answer="1"]');
  await v.page.keyboard.press("Enter");
  await v.page.waitForSelector("[data-question]", { state: "detached" });
  const after = await stateOf(gameId);
  expect(scoreOf(after, "red")).toBe(0);
  expect(after.questions).toEqual([]);
  expect(after.tiles.length).toBe(2);
  await v.page.waitForFunction(() => document.querySelector('[data-player="red"] [data-score]')?.textContent === "0");
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

it("three stories are three pictures; put aside it waits, and others may answer", async () => {
  const { gameId } = await createGame(stage.client, "three", "Three pictures");
  const last = await twoCities(stage.client, gameId);
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  const state = await stateOf(gameId);
  await camera.see(state);
  await camera.see(state, last, 2);
  const [here, there, onlooker] = await Promise.all([
    visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true }),
    visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true, size: "phone", language: "de" }),
    visit(stage.browser, `${stage.house.origin}/?spectator#/board/${gameId}`, { calm: true }),
  ]);
  for (const { page } of [here, there, onlooker]) await page.waitForSelector('[data-answer="2"]');
  expect(await onlooker.page.$$eval("[data-answer]", (all) => all.map((a) => (a as HTMLButtonElement).disabled))).toEqual([true, true, true]);
  await here.page.getByRole("button", { name: "Ask me later" }).click();
  await here.page.waitForSelector(".question", { state: "detached" });
  // It leaves a sign: here, and on every view.
  await here.page.getByRole("button", { name: "1 open question" }).click();
  await here.page.waitForSelector(".question");
  await here.page.getByRole("button", { name: "Ask me later" }).click();
  await here.page.click('.header nav a[href^="#/scores"]');
  await here.page.waitForSelector(".nav-badge");
  await here.page.click('.header nav a[href^="#/board"]');
  await here.page.getByRole("button", { name: "1 open question" }).waitFor();
  expect(await here.page.$$(".question")).toEqual([]);
  expect(await barriers(here.page)).toEqual([]);

  const [question] = (await stateOf(gameId)).questions;
  const second = question!.answers[1]!.turn!;
  await there.page.click('[data-answer="1"]');
  for (const { page } of [there, onlooker]) await page.waitForSelector(".question", { state: "detached" });
  await here.page.waitForSelector(".question-chip", { state: "detached" });
  const { turns } = await stage.query.listTurns({ gameId });
  expect(turns.at(-1)!.deployment?.segment).toBe(second.deployment!.segment);
  for (const v of [here, there, onlooker]) {
    expect(v.complaints).toEqual([]);
    await v.context.close();
  }
});

it("an abbot that looks like a follower in a garden is asked about, and nobody is accused", async () => {
  const { state } = await stage.client.createGame({
    requestId: "kind",
    name: "Abbot or follower",
    tileSet: "base.c2",
    rules: { abbot: "true" },
    players: [{ colour: "red", name: "Anna" }, { colour: "blue", name: "Ben" }],
    placeStartTile: true,
  });
  const { gameId } = state!;
  const { tiles } = await stage.client.getTileSet({ tileSet: "base.c2" });
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  await camera.see(state!);
  const laid = turnedTo(tiles, "B.Ug", { x: 1, y: 0 }, "frfr");
  const garden = tiles.find(({ id }) => id === laid.tile)!.segments.find(({ kind }) => kind === SegmentKind.GARDEN)!;
  await camera.see(state!, { ...laid, follower: { colour: "red", spot: rotatedPoint(garden.spot!, laid.rotation) } });
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
  await v.page.getByRole("heading", { name: "Is Anna’s figure on this tile an abbot or a follower?" }).waitFor();
  expect(await v.page.$$eval("[data-answer] > span", (words) => words.map((w) => w.textContent))).toEqual(["An abbot", "A follower"]);
  expect((await stateOf(gameId)).findings).toEqual([]);
  await v.page.waitForSelector('[data-question][data-guarded="false"]');
  await v.page.click('[data-answer="0"]');
  await v.page.waitForSelector("[data-question]", { state: "detached" });
  const after = await stateOf(gameId);
  expect(after.figures.map(({ kind }) => kind)).toEqual([FigureKind.ABBOT]);
  expect([after.findings, after.questions]).toEqual([[], []]);
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

it("an abbot that nobody expects is asked about, changes the game from its beginning, and is taken back", async () => {
  const { state } = await stage.client.createGame({
    requestId: "playing-with",
    name: "Without abbots",
    tileSet: "base.c2",
    players: [{ colour: "red", name: "Anna" }, { colour: "blue", name: "Ben" }],
    placeStartTile: true,
  });
  const { gameId } = state!;
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  await camera.see(state!);
  const abbot = { colour: "red", spot: { x: 0.5, y: 0.5 }, unexpected: FigureKind.ABBOT };
  await camera.see(state!, { tile: "B.B", cell: { x: 0, y: 1 }, rotation: 0, follower: abbot });
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
  await v.page.getByRole("heading", { name: "I see an abbot. Are you playing with the abbot?" }).waitFor();
  expect(await v.page.$$eval("[data-answer] > span", (words) => words.map((w) => w.textContent))).toEqual(["Yes, we play with the abbot", "No"]);
  expect((await stateOf(gameId)).findings).toEqual([]);
  expect(await barriers(v.page)).toEqual([]);
  await v.page.waitForSelector('[data-question][data-guarded="false"]');
  await v.page.click('[data-answer="0"]');
  await v.page.waitForSelector("[data-question]", { state: "detached" });
  const after = await stateOf(gameId);
  expect(after.rules["abbot"]).toBe("true");
  expect(after.figures.map(({ kind }) => kind)).toEqual([FigureKind.ABBOT]);

  await v.page.goto(`${stage.house.origin}/#/correct/${gameId}`);
  await v.page.getByRole("button", { name: "Take back the answer about the abbot" }).click();
  await v.page.getByRole("heading", { name: "Take back the answer about the abbot" }).waitFor();
  await v.page.waitForSelector('[data-preview="ready"]');
  await v.page.getByRole("button", { name: "Confirm" }).click();
  await v.page.getByRole("button", { name: "Take back the last turn" }).waitFor();
  const before = await stateOf(gameId);
  expect(before.rules["abbot"]).toBe("false");
  expect(before.figures.map(({ kind }) => kind)).toEqual([FigureKind.FOLLOWER]);
  expect(before.questions.map(({ playingWith }) => playingWith)).toEqual([FigureKind.ABBOT]);
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

it("the Gingerbread Man that nobody expects is asked about, goes where he was seen, and the answer is taken back", async () => {
  const { state } = await stage.client.createGame({
    requestId: "playing-with-man",
    name: "Without the Gingerbread Man",
    tileSet: "winter+gingerbread",
    rules: { gingerbread: "false" },
    players: [{ colour: "red", name: "Anna" }, { colour: "blue", name: "Ben" }],
    placeStartTile: true,
  });
  const { gameId } = state!;
  const { tiles } = await stage.client.getTileSet({ tileSet: "winter+gingerbread" });
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  await camera.see(state!);
  const laid = turnedTo(tiles, "G.4", { x: 1, y: 0 }, "cccr");
  const city = tiles.find(({ id }) => id === laid.tile)!.segments[1]!;
  const man = { colour: "black", spot: rotatedPoint(city.spot!, laid.rotation), unexpected: FigureKind.GINGERBREAD_MAN };
  await camera.see(state!, { ...laid, follower: man });
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
  await v.page.getByRole("heading", { name: "I see the Gingerbread Man. Are you playing with him?" }).waitFor();
  expect(await v.page.$$eval("[data-answer] > span", (words) => words.map((w) => w.textContent))).toEqual(["Yes, we play with the Gingerbread Man", "No"]);
  expect((await stateOf(gameId)).findings).toEqual([]);
  expect((await stateOf(gameId)).figures).toEqual([]);
  await v.page.waitForSelector('[data-question][data-guarded="false"]');
  await v.page.click('[data-answer="0"]');
  await v.page.waitForSelector("[data-question]", { state: "detached" });
  const after = await stateOf(gameId);
  expect(after.rules["gingerbread"]).toBe("true");
  expect(after.neutralFigures.map(({ kind, cell, segment }) => [kind, cell?.x, cell?.y, segment])).toEqual([[FigureKind.GINGERBREAD_MAN, 1, 0, 1]]);

  await v.page.goto(`${stage.house.origin}/#/correct/${gameId}`);
  await v.page.getByRole("button", { name: "Take back the answer about the Gingerbread Man" }).click();
  await v.page.waitForSelector('[data-preview="ready"]');
  await v.page.getByRole("button", { name: "Confirm" }).click();
  await v.page.getByRole("button", { name: "Take back the last turn" }).waitFor();
  const before = await stateOf(gameId);
  expect(before.rules["gingerbread"]).toBe("false");
  expect(before.neutralFigures).toEqual([]);
  expect(before.questions.map(({ playingWith }) => playingWith)).toEqual([FigureKind.GINGERBREAD_MAN]);
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

it("the Ark that nobody expects is asked about by its editions, and fits a phone", async () => {
  const { state } = await stage.client.createGame({
    requestId: "playing-with-ark",
    name: "Without the Ark",
    tileSet: "ark",
    rules: { ark: "none" },
    players: [{ colour: "red", name: "Anna" }, { colour: "blue", name: "Ben" }],
    placeStartTile: true,
  });
  const { gameId } = state!;
  const { tiles } = await stage.client.getTileSet({ tileSet: "ark" });
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  await camera.see(state!);
  // It completes the start tile's city, and the Ark enters on it.
  const ark = { colour: "yellow", spot: { x: 0.5, y: 0.5 }, unexpected: FigureKind.ARK };
  await camera.see(state!, { ...turnedTo(tiles, "A.cfff.1", { x: 0, y: -1 }, "ffcf"), follower: ark });
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true, size: "phone" });
  await v.page.getByRole("heading", { name: "I see the Ark. Are you playing with it?" }).waitFor();
  expect(await v.page.$$eval("[data-answer] > span", (words) => words.map((w) => w.textContent))).toEqual([
    "Yes, by the first edition", "Yes, by the second edition", "Yes, by the German edition", "No",
  ]);
  expect(await barriers(v.page)).toEqual([]);
  await v.page.waitForSelector('[data-question][data-guarded="false"]');
  await v.page.click('[data-answer="1"]');
  await v.page.waitForSelector("[data-question]", { state: "detached" });
  const after = await stateOf(gameId);
  expect([after.rules["ark"], after.rules["cities_must_be_filled"]]).toEqual(["second", "true"]);
  expect(after.neutralFigures.map(({ kind, cell }) => [kind, cell?.x, cell?.y])).toEqual([[FigureKind.ARK, 0, -1]]);
  expect([after.figures, after.findings, after.questions]).toEqual([[], [], []]);
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

it("a question does not take the touch that it came up under", async () => {
  const { gameId } = await createGame(stage.client, "guard", "Under the finger");
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  const state = await stateOf(gameId);
  await camera.see(state);
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
  await boardHolds(v.page, 1);
  await v.page.evaluate(() => {
    new MutationObserver((_, seen) => {
      const answer = document.querySelector<HTMLButtonElement>("[data-answer]");
      if (!answer) return;
      seen.disconnect();
      answer.click();
      document.body.dataset["touched"] = "";
    }).observe(document.body, { childList: true, subtree: true });
  });
  await camera.see(state, { tile: "B.E", cell: { x: 0, y: -1 }, rotation: 2 }, 2);
  await v.page.waitForSelector("[data-touched]");
  await v.page.waitForSelector('[data-guarded="false"]');
  expect((await stateOf(gameId)).questions.length).toBe(1);
  await v.page.click('[data-answer="0"]');
  await v.page.waitForSelector("[data-question]", { state: "detached" });
  expect((await stateOf(gameId)).questions).toEqual([]);
  await v.context.close();
});

it("a game joined in the middle asks for the points so far, takes them, and asks no more", async () => {
  const gameId = await joinGame(stage.client, "joined", "Joined");
  const before = await createGame(stage.client, "before", "Before the camera");
  const tiles = await twoCities(stage.client, before.gameId);
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  await camera.see(await stateOf(before.gameId));
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
  await boardHolds(v.page, 4);

  await v.page.getByRole("heading", { name: "The camera joined this game part-way" }).waitFor();
  expect(await barriers(v.page)).toEqual([]);
  await v.page.fill('.points-so-far [data-player="red"] input', "14");
  await v.page.fill('.points-so-far [data-player="blue"] input', "9");
  await v.page.getByRole("button", { name: "Use these points" }).click();
  await v.page.waitForSelector("[data-question]", { state: "detached" });
  const after = await stateOf(gameId);
  expect([scoreOf(after, "red"), scoreOf(after, "blue")]).toEqual([14, 9]);
  expect(after.questions).toEqual([]);

  await camera.see(after, tiles);
  await boardHolds(v.page, 5);
  expect(v.complaints).toEqual([]);
  await v.context.close();
});
