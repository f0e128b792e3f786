// From the hand's leaving the picture to the new score on the page: `scripts/measure-latency`.
// Games of the virtual table, from the fortieth tile on, before a camera in the network; the program
// as people start it, and a page in Chromium. Every step by one clock, this machine's.
import { createClient, type Client } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { VisionService, type RestTimes } from "../../../services/display/src/gen/tilewarden/v1/vision_pb";
import { boardHolds, openBrowser, visit } from "../support/browser";
import { playedGame, until, type PlayedGame } from "../support/evening";
import { NetworkCamera } from "../support/network_camera";
import { share } from "../support/paint";
import { gameClient } from "../support/players";
import { page, start } from "../support/services";

const SEEDS = (process.env["LATENCY_SEEDS"] ?? "41,42").split(",").map(Number);
const FROM = 40;
const TURNS = 71;
const HAND_MS = 500;
const REST_MS = 1_500;

// Of one move, in milliseconds.
const STAGES = ["camera to gate", "gate", "reading", "report", "referee and log", "watch", "paint", "all"] as const;
type Stage = (typeof STAGES)[number];
const times: Record<Stage, number[]> = Object.fromEntries(STAGES.map((stage) => [stage, []])) as never;

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

// When the page heard of a number of tiles, and had painted them.
interface Painted {
  readonly heard: number;
  readonly painted: number;
  readonly said: number; // when the engine service said so
}
async function watchTiles(shown: Page): Promise<void> {
  await shown.evaluate(() => {
    const paints: Record<number, { heard: number; painted: number }> = {};
    Object.assign(window, { paints });
    let heard = 0;
    const read = ReadableStreamDefaultReader.prototype.read;
    ReadableStreamDefaultReader.prototype.read = async function (this: ReadableStreamDefaultReader) {
      const chunk = await read.call(this);
      heard = Date.now();
      return chunk;
    } as typeof read;
    new MutationObserver(() => {
      const tiles = document.querySelectorAll(".world > g .tile[data-cell]").length;
      if (paints[tiles]) return;
      const at = { heard, painted: 0 };
      paints[tiles] = at;
      requestAnimationFrame(() => setTimeout(() => (at.painted = Date.now())));
    }).observe(document.querySelector(".world")!, { childList: true, subtree: true });
  });
}
const paintOf = (shown: Page, tiles: number): Promise<Omit<Painted, "said"> | undefined> =>
  shown.evaluate((n) => (window as unknown as { paints: Record<number, Omit<Painted, "said">> }).paints[n], tiles);

function note(gone: number, rest: RestTimes, { heard, painted, said }: Painted): void {
  const stages: Record<Stage, number> = {
    "camera to gate": rest.handGoneMs - gone,
    gate: rest.gateDoneMs - rest.handGoneMs,
    reading: rest.readMs - rest.gateDoneMs,
    report: rest.reportedMs - rest.readMs,
    "referee and log": said - rest.readMs,
    watch: heard - said,
    paint: painted - heard,
    all: painted - gone,
  };
  for (const stage of STAGES) times[stage].push(stages[stage]);
}

it.each(SEEDS)("a game: seed %d", { timeout: 1_800_000 }, async (seed) => {
  const played: PlayedGame = await playedGame(join(folder, `game-${seed}`), seed, TURNS, 3, ["--first-look", String(FROM - 1)], { width: 1920, height: 1080 });
  const camera = await NetworkCamera.open();
  const first = played.pictures.findIndex(({ tiles }) => tiles === FROM);
  await Promise.race([camera.show(played.pictures[first]!.file), new Promise((resolve) => setTimeout(resolve, 100))]);
  const data = await mkdtemp(join(folder, "data-"));
  const up = await start(["up", camera.url, "--set", "base.c1", "--data", data, "--listen", "127.0.0.1:0", "--page-listen", "127.0.0.1:0"], /^page on (\S+)/, { ...process.env, TILEWARDEN_PAGE: page });
  const origin = up.greeting.replace(/\/$/, "");
  const client = gameClient(origin);
  const vision: Client<typeof VisionService> = createClient(VisionService, createGrpcWebTransport({ baseUrl: origin }));
  const colours = played.truth["colours"] as string[];
  const { state } = await client.createGame({ requestId: `latency-${seed}`, tileSet: "base.c1", players: colours.map((colour) => ({ colour })), begun: true });
  const { gameId } = state!;
  const now = async () => (await client.getGame({ gameId })).state!;
  await until("the board as it lies", async () => (await now()).tiles.length === FROM);
  const v = await visit(browser, `${origin}/#/board/${gameId}`);
  await boardHolds(v.page, FROM);
  await v.page.waitForTimeout(1_000);
  await watchTiles(v.page);
  const told = new Map<number, number>();
  void (async () => {
    for await (const { what } of client.watchGame({ gameId, resumeAfter: (await now()).eventNumber })) {
      if (what.case === "event" && what.value.what.case === "turnPlayed") told.set(told.size + FROM + 1, Number(what.value.timeMs));
    }
  })().catch(() => {});

  let tiles = FROM, missed = 0, seen = 0;
  for (const { file, tiles: lying } of played.pictures.slice(first + 1)) {
    const gone = await camera.show(file);
    if (lying <= tiles) {
      await v.page.waitForTimeout(HAND_MS);
      continue;
    }
    await v.page.waitForTimeout(REST_MS);
    const paint = await paintOf(v.page, lying);
    const said = told.get(lying);
    seen += 1;
    tiles = lying;
    if (!paint || paint.painted === 0 || said === undefined) {
      missed += 1;
      continue;
    }
    const { lastRest } = await vision.getVisionStatus({});
    note(gone, lastRest!, { ...paint, said });
  }
  console.log(`seed ${seed}: ${seen} moves, ${missed} not shown within ${REST_MS} ms; ${(await now()).tiles.length} of ${tiles} tiles, ${(await now()).findings.length} findings`);
  await v.context.close();
  await up.stop();
  camera.close();
});

it("in all", () => {
  const count = times.all.length;
  console.log(`${count} moves with ${FROM + 1} to ${TURNS + 1} tiles, 1920 x 1080, median and p95 in ms:`);
  for (const stage of STAGES) {
    const sorted = [...times[stage]].sort((a, b) => a - b);
    console.log(`  ${stage.padEnd(16)} ${share(sorted, 0.5).toFixed(0).padStart(5)} ${share(sorted, 0.95).toFixed(0).padStart(6)}`);
  }
  expect(count).toBeGreaterThan(0);
});
