// A printed Ark of the Covenant as a person comes by it: the sheets, the box enrolled on the page, an
// edition chosen there, twelve turns in which the Ark moves, the end. Pictures of each step.
// `scripts/walk-the-ark FOLDER`.
import { execFile } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FigureKind, GamePhase } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { openBrowser } from "../support/browser";
import { boxLaidOut, putNamesRight } from "../support/enrol";
import { bareTable, Evening, laidOut, playedGame, seat, TableCamera, until, type PlayedGame } from "../support/evening";
import { queryClient } from "../support/players";
import { program } from "../support/services";
import { arkIn, Frame, isTrue, sameOrNone, scoresAfter, trueArkIn } from "../support/truth";
import { clearAway, playAndAnswer, Walk } from "../support/walk";

const SEED = Number(process.env["WALK_SEED"] ?? 88589);
const TURNS = 12;
const NAMES = ["Anna", "Ben", "Cleo"];
// As many as the page takes: few tiles in each are seen large.
const LOOKS = 5;
const SIZE = { width: 1920, height: 1080 };
// Not the one that a box of this set begins with.
const EDITION = "ark-de";

const walk = new Walk(process.env["SCREENSHOTS"] ?? "walk", ["light"]);
const { touch } = walk;
let browser: Browser;
let tables = "";
let evening: Evening;
let camera: TableCamera;
let box: readonly string[];
let played: PlayedGame;

const bare = () => join(tables, "bare.jpg");
const game = async () => (await evening.client.getGame({ gameId: "" })).state!;

beforeAll(async () => {
  tables = await mkdtemp(join(tmpdir(), "tilewarden-ark-"));
  browser = await openBrowser();
  box = await boxLaidOut(tables, "ark", LOOKS, 1, SIZE);
  played = await playedGame(join(tables, "game"), SEED, TURNS, NAMES.length, ["--set", "ark", "--preset", EDITION, "--mistakes", "0"], SIZE, "game");
  await laidOut(join(tables, "board.jpg"), 4, 24, 2, SIZE, "ark");
  await bareTable(bare(), browser, SIZE);
  camera = await TableCamera.over(join(tables, "camera"));
}, 900_000);
afterAll(() => clearAway(walk, camera, evening, browser, tables));

it("prints the sheets", async () => {
  const { stdout } = await promisify(execFile)(program, ["print", "--set", "ark", "--out", join(tables, "sheets")]);
  const sheets = stdout.trim().split("\n");
  expect(sheets.map((file) => basename(file))).toEqual(["board-a4.pdf", "tiles-a4.pdf", "score-track-a4.pdf", "standees-a4.pdf"]);
  for (const file of sheets) expect((await readFile(file)).subarray(0, 5).toString()).toBe("%PDF-");
});

it("the box is enrolled on the page", async () => {
  const begun = Date.now();
  evening = await Evening.begin();
  camera.show(box[0]!);
  await walk.begin(browser, `${evening.origin}/`);
  await touch(walk.page.getByRole("link", { name: "Start a game" }));
  await walk.chooseFolder(camera.folder);
  await walk.page.waitForSelector(".camera-card[aria-pressed=true] img");
  await walk.look("a-box-nobody-knows", walk.page.locator(".enrol-link"));
  await touch(walk.page.getByRole("link", { name: "Enrol a box here" }));
  await walk.choose(walk.page.locator(".tiles-head select"), "ark");
  await walk.look("enrol");
  for (const [i, picture] of box.entries()) {
    const seen = await evening.seen();
    camera.show(picture);
    if (i > 0) await until("the next picture", async () => (await evening.seen()) !== seen);
    const before = await walk.page.locator("[data-number]").count();
    await touch(walk.page.getByRole("button", { name: i === 0 ? "Take a look" : "Take another look" }));
    await walk.page.waitForFunction((n) => document.querySelectorAll("[data-number]").length > n, before, { timeout: 60_000 });
  }
  const found = await walk.page.locator("[data-number]").count();
  await walk.look("found");
  const { doubtful, wrong, turned } = await putNamesRight(walk.page, join(evening.folder, "tilewarden", "enrolment", "tiles.toml"), box, touch);
  await walk.look("put-right");
  await touch(walk.page.getByRole("button", { name: "Save this box" }));
  await walk.page.waitForSelector("[data-kept]");
  await walk.look("saved");
  walk.say(`box: ${found} of 72 tiles found in ${LOOKS} looks; of the names ${wrong} put right and ${doubtful} confirmed, ${turned} quarter turns; ${walk.touches} touches, ${((Date.now() - begun - walk.posed_ms) / 1_000).toFixed(0)} s`);
  expect(found).toBeGreaterThanOrEqual(70);
}, 900_000);

it("the edition and the players are chosen", async () => {
  walk.touches = walk.letters = walk.posed_ms = 0;
  const begun = Date.now();
  camera.show(join(tables, "board.jpg"));
  await touch(walk.page.getByRole("link", { name: "Tables" }));
  await touch(walk.page.getByRole("link", { name: "Start a game" }));
  await walk.page.waitForSelector('[data-recognised="ark"]', { timeout: 60_000 });
  await walk.look("the-ark-is-seen", walk.page.locator(".camera-box"));
  const edition = walk.page.locator(".field", { hasText: /^Rules/ }).locator("select");
  await walk.choose(edition, EDITION);
  // Their figures do not lie there yet.
  await walk.page.waitForFunction(() => document.querySelectorAll("[data-seat]").length === 2);
  await touch(walk.page.locator(`[data-add="${played.truth.colours[2]!}"]`));
  await seat(walk.page, played, NAMES.length, touch);
  for (const [i, name] of NAMES.entries()) await walk.type(walk.page.getByRole("textbox", { name: `Name of player ${i + 1}` }), name);
  await walk.look("edition-and-players", edition);
  camera.show(bare());
  await touch(walk.page.getByRole("button", { name: "Start", exact: true }));
  await walk.page.getByText("Waiting for the first tile").waitFor();
  await walk.look("lay-the-start-tile");
  walk.say(`game: ${walk.touches} touches, ${walk.letters} letters, ${((Date.now() - begun - walk.posed_ms) / 1_000).toFixed(0)} s`);
  const { tileSet, rules } = await game();
  expect([tileSet, rules["ark"]]).toEqual(["ark", "german"]);
}, 300_000);

it("is played as it was played", async () => {
  const { truth } = played;
  const { gameId } = await game();
  const { faulted, asked, answered, aside } = await playAndAnswer(walk, evening, camera, truth, async (now) => {
    await camera.play(played.pictures, evening);
    await until(`${TURNS} turns`, async () => (await now()).turn === TURNS);
  });
  await walk.look("twelve-turns");
  const state = await game();
  const frame = new Frame(truth, state);
  const { turns } = await queryClient(evening.origin).listTurns({ gameId });
  const right = truth.turns.filter((turn, i) => turns[i]?.colour === truth.colours[turn.player] && isTrue(turns[i], turn, frame));
  const moves = truth.turns.filter((turn) => trueArkIn(turn));
  const moved = moves.filter((turn) => sameOrNone(arkIn(turns[turn.number - 1]), trueArkIn(turn), frame));
  walk.say(`${right.length} of ${TURNS} turns right, ${moved.length} of ${moves.length} times the Ark was set and moved; ${asked.length} questions, ${answered.length} answered, ${aside.length} with no true answer; false findings in ${faulted.size} turns`);
  expect([...faulted.keys()]).toEqual([]);
  expect(aside).toEqual([]);
  expect(right).toEqual(truth.turns);
  expect(state.players.map(({ score }) => score)).toEqual(scoresAfter(truth, TURNS));
  const ark = state.neutralFigures.find(({ kind }) => kind === FigureKind.ARK);
  expect(ark?.cell).toMatchObject(frame.cell(trueArkIn(moves.at(-1)!)!));
  expect(await walk.page.locator('.world [data-kind="ARK"]').count()).toBe(1);
}, 900_000);

it("is ended on the page", async () => {
  walk.touches = 0;
  await walk.endGame();
  await walk.look("final-scores");
  walk.say(`ended by ${walk.touches} touches`);
  const { phase, players } = await game();
  expect(phase).toBe(GamePhase.ENDED);
  expect(players.map(({ score }) => score)).toEqual(played.truth.final.scores);
  expect(walk.complaints).toEqual([]);
}, 120_000);
