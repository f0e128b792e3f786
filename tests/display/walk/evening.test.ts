// An evening from the first start to the second game, as a family spends it: one word typed, then
// only the page is touched, or only keys are pressed. Pictures of each step; touches and seconds
// counted. `scripts/walk-an-evening FOLDER`.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GamePhase } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { openBrowser } from "../support/browser";
import { bareTable, Evening, laidOut, playedGame, seat, TableCamera, until, type PlayedGame } from "../support/evening";
import { scoresAfter } from "../support/truth";
import { clearAway, playAndAnswer, Walk } from "../support/walk";

const TURNS = 30;
const SECOND_TURNS = 6;
const ILLEGAL_AT = 9;
// In its first turn a follower claims and comes home between two looks.
const FIRST_SEED = 23;
const NAMES = ["Anna", "Ben", "Cleo"];
const MOST_TOUCHES = 15;
const MOST_SECONDS = 90;

let browser: Browser;
let tables = "";
let evening: Evening;
let camera: TableCamera;
let first: PlayedGame;
let second: PlayedGame;
const walk = new Walk(process.env["SCREENSHOTS"] ?? "walk", ["light", "dark"], process.env["WALK_BY_KEYS"] === "1");
const { touch } = walk;

const bare = () => join(tables, "bare.jpg");
const game = async (id = "") => (await evening.client.getGame({ gameId: id })).state!;

beforeAll(async () => {
  tables = await mkdtemp(join(tmpdir(), "tilewarden-walk-"));
  browser = await openBrowser();
  await laidOut(join(tables, "box.jpg"), 4, 24, 3);
  await bareTable(bare(), browser);
  first = await playedGame(join(tables, "first"), FIRST_SEED, TURNS, 3, ["--mistakes", String(ILLEGAL_AT)]);
  second = await playedGame(join(tables, "second"), 22, SECOND_TURNS, 3, ["--begins", "1"]);
  camera = await TableCamera.over(join(tables, "camera"));
  camera.show(join(tables, "box.jpg"));
}, 900_000);
afterAll(() => clearAway(walk, camera, evening, browser, tables));

it("from the first start to the start tile", async () => {
  const begun = Date.now();
  evening = await Evening.begin();
  await walk.begin(browser, `${evening.origin}/`);
  await walk.page.getByRole("heading", { name: "No game yet" }).waitFor();
  await walk.look("first-start");
  await touch(walk.page.getByRole("link", { name: "Start a game" }));
  await walk.page.getByRole("heading", { name: "Which camera watches the table?" }).waitFor();
  await walk.look("choose-a-camera");
  await walk.chooseFolder(camera.folder);
  await walk.page.waitForSelector('[data-recognised="base.c1"]', { timeout: 60_000 });
  await walk.page.waitForFunction((n) => document.querySelectorAll("[data-seat]").length === n, NAMES.length);
  await walk.look("what-it-sees");
  // The camera knows the colours and people who begins.
  await seat(walk.page, first, NAMES.length, touch);
  for (let i = 0; i < NAMES.length; ++i) await walk.type(walk.page.getByRole("textbox", { name: `Name of player ${i + 1}` }), NAMES[i]!);
  await walk.look("who-plays");
  camera.show(bare());
  await touch(walk.page.getByRole("button", { name: "Start", exact: true }));
  await walk.page.getByText("Waiting for the first tile").waitFor();
  const seconds = (Date.now() - begun - walk.posed_ms) / 1_000;
  await walk.look("lay-the-start-tile");
  walk.say(`first start to "lay the start tile": ${walk.touches} touches, ${walk.letters} letters, ${seconds.toFixed(0)} s`);
  expect(walk.touches).toBeLessThanOrEqual(MOST_TOUCHES);
  expect(seconds).toBeLessThan(MOST_SECONDS);
}, 300_000);

it("a game, with a tile that breaks a rule and a claim that nobody saw", async () => {
  const { gameId } = await game();
  // Somebody stood in the light while the claim of the first turn lay there and came home.
  const claim = first.truth.timeline.findIndex(({ tiles, meeples }) => tiles?.length === 2 && meeples?.length);
  const home = first.pictures.findIndex(({ tiles }, i) => i > claim && tiles > 0);
  const { faulted, answered } = await playAndAnswer(walk, evening, camera, first.truth, async (state) => {
    await camera.play(first.pictures.filter((_, i) => i < claim || i >= home), evening);
    await until(`${TURNS} turns`, async () => (await state()).turn === TURNS);
  });
  await walk.look("the-game");
  const state = await game(gameId);
  walk.say(`first game: ${TURNS} turns, a fault told in turn ${[...faulted.keys()].join(", ")}, ${answered.length} question answered`);
  expect([...faulted.keys()]).toEqual([ILLEGAL_AT]);
  expect(answered).toHaveLength(1);
  expect(state.findings).toEqual([]);
  expect(state.players.map(({ score }) => score)).toEqual(scoresAfter(first.truth, TURNS));
}, 900_000);

it("ended on the page, put right afterwards, and scored again", async () => {
  walk.touches = 0;
  await walk.endGame();
  await walk.look("final-scores");
  walk.say(`ended by ${walk.touches} touches`);
  expect((await game()).phase).toBe(GamePhase.ENDED);
  expect((await game()).players.map(({ score }) => score)).toEqual(first.truth.final.scores);
  walk.touches = 0;
  await touch(walk.page.getByRole("link", { name: "Fix a mistake" }));
  const before = await game();
  const lying = before.figures.find(({ pose }) => pose === 2) ?? before.figures[0];
  const turn = before.tiles.find(({ cell }) => cell?.x === lying?.cell?.x && cell?.y === lying?.cell?.y)?.turn ?? 1;
  await touch(walk.page.locator(`[data-turn="${turn}"]`));
  await touch(walk.page.locator('[data-figure-choice="none"]'));
  await walk.page.waitForSelector('[data-preview="ready"]');
  await walk.look("a-farm-put-right");
  await touch(walk.page.getByRole("button", { name: "Confirm" }));
  await walk.page.waitForSelector(".turn-list");
  await touch(walk.page.getByRole("link", { name: "Board" }));
  await walk.page.getByText("Corrected after the end").waitFor();
  await walk.look("corrected");
  walk.say(`a farm put right by ${walk.touches} touches`);
  expect(evening.alive).toBe(true);
}, 300_000);

it("the table cleared, and the second game by one touch", async () => {
  const before = await game();
  camera.show(bare());
  walk.touches = 0;
  await touch(walk.page.locator("[data-next-game]"));
  await walk.page.getByText("Waiting for the first tile").waitFor();
  await walk.look("the-second-game");
  walk.say(`second game begun by ${walk.touches} touch`);
  const { gameId, players } = await game();
  const names = before.players.map(({ name }) => name);
  expect(players.map(({ name }) => name)).toEqual([...names.slice(1), names[0]]);
  await camera.play(second.pictures, evening);
  await until(`${SECOND_TURNS} turns`, async () => (await game(gameId)).turn === SECOND_TURNS);
  await walk.look("played-on");
  walk.say(`second game: ${SECOND_TURNS} turns followed`);
  // The next one began: whose colours lie there is theirs.
  const { findings, questions } = await game(gameId);
  expect([findings, questions]).toEqual([[], []]);
  expect(walk.complaints).toEqual([]);
}, 600_000);
