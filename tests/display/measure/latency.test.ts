// From the hand's leaving the picture to the new score on the page: `scripts/measure-latency`.
// Games of the virtual table, from the fortieth tile on, before a camera in the network and before a
// phone's; the program as people start it, and a page in Chromium. Every step by one clock, this
// machine's.
import { createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VisionService, type RestTimes } from "../../../services/display/src/gen/tilewarden/v1/vision_pb";
import { boardHolds, openBrowser, visit } from "../support/browser";
import { Evening, playedGame, readGame, until, type PlayedGame } from "../support/evening";
import { paintsOf, StageTimes, watchTiles } from "../support/latency";
import { NetworkCamera } from "../support/network_camera";
import { invite, looksOf, Phone, whenShown, writeFilm, type Shot } from "../support/phone";
import { gameClient } from "../support/players";
import { page, start } from "../support/services";

const SEEDS = (process.env["LATENCY_SEEDS"] ?? "41,42").split(",").map(Number);
const KEPT = process.env["LATENCY_GAMES"] ?? "";
const FROM = 40;
const TURNS = 71;
const HAND_S = 0.5;
const REST_S = 1.5;
const AT_FIRST_S = 8; // until a page that was loaded again looks

// The program before a camera that shows the board as it lies at first.
interface Table {
  readonly origin: string;
  // One after the other; when each was first there.
  readonly play: (shots: readonly Shot[]) => Promise<readonly number[]>;
  readonly end: () => Promise<void>;
}

let browser: Browser;
let folder = "";
beforeAll(async () => {
  browser = await openBrowser();
  folder = await mkdtemp(join(tmpdir(), "tilewarden-latency-"));
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

async function gameOf(seed: number): Promise<PlayedGame> {
  const games = KEPT || join(folder, "games");
  await mkdir(games, { recursive: true });
  const game = join(games, String(seed));
  if (existsSync(join(game, "truth.json"))) return readGame(game);
  return playedGame(game, seed, TURNS, 3, ["--first-look", String(FROM - 1)], { width: 1920, height: 1080 });
}

async function cameraInTheNetwork(board: string): Promise<Table> {
  const camera = await NetworkCamera.open();
  void camera.show(board);
  const data = await mkdtemp(join(folder, "data-"));
  const up = await start(["up", camera.url, "--set", "base.c1", "--data", data, "--listen", "127.0.0.1:0", "--page-listen", "127.0.0.1:0"], /^page on (\S+)/, { ...process.env, TILEWARDEN_PAGE: page });
  return {
    origin: up.greeting.replace(/\/$/, ""),
    play: async (shots) => {
      const there: number[] = [];
      for (const { file, seconds } of shots) {
        there.push(await camera.show(file));
        await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
      }
      return there;
    },
    end: async () => {
      await up.stop();
      camera.close();
    },
  };
}

async function phoneOverTls(board: string): Promise<Table> {
  const evening = await Evening.begin();
  const film = join(folder, "film.mjpeg");
  await writeFilm(film, [{ file: board, seconds: 30 }]);
  const v = await visit(browser, `${evening.origin}/#/new`, { calm: true });
  const { address, code } = await invite(v.page);
  const phone = await Phone.scan(film, address, code);
  await v.page.waitForSelector('[data-recognised="base.c1"]', { timeout: 60_000 });
  await v.context.close();
  return {
    origin: evening.origin,
    play: async (shots) => {
      await writeFilm(film, [{ file: board, seconds: AT_FIRST_S }, ...shots, { file: shots.at(-1)!.file, seconds: 30 }]);
      const looks = await looksOf(browser, [{ file: board, seconds: AT_FIRST_S }, ...shots]);
      await phone.reload();
      const cuts = await phone.watchCuts();
      // The browser does not always play as fast as the film wants.
      const most_s = AT_FIRST_S + 2 * shots.reduce((sum, shot) => sum + shot.seconds, 0);
      let there: readonly number[] = [];
      await until("the film's end", async () => {
        there = whenShown(looks, await cuts());
        return there.length >= shots.length;
      }, most_s);
      await phone.page.waitForTimeout(1_000 * REST_S);
      return there;
    },
    end: async () => {
      await phone.close();
      await evening.end();
    },
  };
}

// Until it ends: every time that the table came to rest.
function watchRests(origin: string): () => readonly RestTimes[] {
  const vision = createClient(VisionService, createGrpcWebTransport({ baseUrl: origin }));
  const rests: RestTimes[] = [];
  let watching = true;
  void (async () => {
    for (; watching; await new Promise((resolve) => setTimeout(resolve, 200))) {
      const { lastRest } = await vision.getVisionStatus({});
      if (lastRest && lastRest.readMs !== rests.at(-1)?.readMs) rests.push(lastRest);
    }
  })().catch(() => {});
  return () => {
    watching = false;
    return rests;
  };
}

async function measure(seed: number, open: (board: string) => Promise<Table>, times: StageTimes): Promise<string> {
  const { pictures, truth } = await gameOf(seed);
  const first = pictures.findIndex(({ tiles }) => tiles === FROM);
  const table = await open(pictures[first]!.file);
  const client = gameClient(table.origin);
  const { state } = await client.createGame({ requestId: `latency-${seed}`, tileSet: "base.c1", players: truth.colours.map((colour) => ({ colour })), begun: true });
  const { gameId } = state!;
  const now = async () => (await client.getGame({ gameId })).state!;
  await until("the board as it lies", async () => (await now()).tiles.length === FROM);
  const v = await visit(browser, `${table.origin}/#/board/${gameId}`);
  await boardHolds(v.page, FROM);
  await v.page.waitForTimeout(1_000);
  await watchTiles(v.page);
  const said = new Map<number, number>();
  void (async () => {
    for await (const { what } of client.watchGame({ gameId, resumeAfter: (await now()).eventNumber })) {
      if (what.case === "event" && what.value.what.case === "turnPlayed") said.set(said.size + FROM + 1, Number(what.value.timeMs));
    }
  })().catch(() => {});
  const rests = watchRests(table.origin);
  const shown = pictures.slice(first + 1);
  const there = await table.play(shown.map(({ file, tiles }) => ({ file, seconds: tiles > 0 ? REST_S : HAND_S })));
  const rested = rests();
  const paints = await paintsOf(v.page);

  let tiles = FROM, moves = 0, missed = 0;
  for (const [i, { tiles: lying }] of shown.entries()) {
    if (lying <= tiles) continue;
    moves += 1;
    tiles = lying;
    const gone = there[i]!;
    const [paint, when] = [paints[lying], said.get(lying)];
    const rest = rested.find(({ restsMs }) => restsMs >= gone);
    if (!paint?.painted || when === undefined || !rest) missed += 1;
    else times.note(gone, rest, when, paint);
  }
  const ended = await now();
  await v.context.close();
  await table.end();
  return `${moves} moves, ${missed} not shown; ${ended.tiles.length} of ${tiles} tiles, ${ended.findings.length} findings`;
}

describe.each([
  { what: "a camera in the network", open: cameraInTheNetwork },
  { what: "a phone over TLS", open: phoneOverTls },
])("$what", ({ what, open }) => {
  const times = new StageTimes();
  it.each(SEEDS)("seed %d", { timeout: 1_800_000 }, async (seed) => {
    console.log(`${what}, seed ${seed}: ${await measure(seed, open, times)}`);
  });
  it("in all", () => {
    console.log(`${what}: ${times.count} moves with ${FROM + 1} to ${TURNS + 1} tiles, 1920 x 1080, median and p95 in ms:\n${times.table()}`);
    expect(times.count).toBeGreaterThan(0);
  });
});
