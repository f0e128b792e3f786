// What the page costs, as figures: `tests/display/measure/run`.
import type { CDPSession, Page } from "playwright-core";
import { expect, it } from "vitest";
import { boardHolds, visit } from "../support/browser";
import { Camera, misfit } from "../support/camera";
import { growBoard } from "../support/large_board";
import { share, timesOf, watchPaints } from "../support/paint";
import { createGame, playTurns, sightingClient } from "../support/players";
import { firstVisit } from "../support/page_size";
import { useStage } from "../support/stage";

const stage = useStage();

const say = (what: string, figures: string) => console.log(`${what}: ${figures}`);

it("first visit, compressed", async () => {
  const { files, bytes } = await firstVisit();
  for (const { file, bytes } of files) say(`  ${file}`, `${(bytes / 1024).toFixed(1)} KiB`);
  say("first visit with the longest language and every view, gzip", `${(bytes / 1024).toFixed(1)} KiB (at most 150)`);
  expect(bytes).toBeLessThan(150 * 1024);
});

it("from event to paint, with 41 to 72 tiles", async () => {
  const { gameId } = await createGame(stage.client, "paint", "Paint");
  await playTurns(stage.client, gameId, 1, 40);
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`);
  await boardHolds(v.page, 41);
  await v.page.waitForTimeout(800);
  await watchPaints(v.page);
  for (let turn = 41; turn <= 71; ++turn) {
    await playTurns(stage.client, gameId, turn, turn);
    await boardHolds(v.page, turn + 1);
    await v.page.waitForTimeout(150);
  }
  const times = await timesOf(v.page);
  expect(times.length).toBeGreaterThan(20);
  say("event to paint", `median ${share(times, 0.5).toFixed(0)} ms, p95 ${share(times, 0.95).toFixed(0)} ms (at most 100), ${times.length} events`);
  await v.context.close();
});

it("replay of 72 tiles", async () => {
  const { gameId } = await createGame(stage.client, "replay", "Replay");
  await playTurns(stage.client, gameId, 1, 71);
  await stage.client.endGame({ requestId: "replay-end", gameId });
  for (const size of ["tablet", "upright", "phone"] as const) {
    const v = await visit(stage.browser, `${stage.house.origin}/#/replay/${gameId}`, { size });
    await v.page.waitForSelector('.replay-view[data-playing="true"]');
    // Towards the end, where most lies on the board.
    await v.page.fill(".scrubber input", "50");
    await v.page.click(".play");
    const frames = await filmed(v.page, 8_000);
    say(
      `replay of 72 tiles, ${size}`,
      `${frames.perSecond.toFixed(1)} frames a second, 95 % of them within ${frames.gap_ms.toFixed(1)} ms, longest ${frames.longest_ms.toFixed(0)} ms; the page's own work ${frames.work_ms.toFixed(2)} ms a frame`,
    );
    await v.context.close();
  }
});

// How often the page draws, and how long it works at each.
const filmed = (page: Page, ms: number) =>
  page.evaluate(async (length_ms) => {
    const request = window.requestAnimationFrame;
    const work: number[] = [];
    window.requestAnimationFrame = (callback) =>
      request((now) => {
        const from = performance.now();
        callback(now);
        work.push(performance.now() - from);
      });
    const times: number[] = [];
    for (const until = performance.now() + length_ms; performance.now() < until; ) times.push(await new Promise<number>((resolve) => request(resolve)));
    window.requestAnimationFrame = request;
    const gaps = times.slice(1).map((time, i) => time - times[i]!).sort((a, b) => a - b);
    return {
      perSecond: times.length / (length_ms / 1_000),
      gap_ms: gaps[Math.floor(gaps.length * 0.95)]!,
      longest_ms: gaps[gaps.length - 1]!,
      work_ms: work.reduce((sum, one) => sum + one, 0) / Math.max(1, work.length),
    };
  }, ms);

it("panning 200 tiles", async () => {
  const { gameId } = await createGame(stage.client, "pan", "Pan");
  await growBoard(stage.client, gameId, 200);
  for (const size of ["tablet", "phone"] as const) {
    const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { size });
    await boardHolds(v.page, 200);
    await v.page.waitForTimeout(800);
    const session = await v.context.newCDPSession(v.page);
    await session.send("Performance.enable");
    const before = await spent(session);
    const frames = await panned(v.page, 3_000);
    const after = await spent(session);
    const script_ms = ((after.script - before.script) * 1000) / frames.count;
    say(
      `panning 200 tiles, ${size}`,
      `${(frames.count / (frames.ms / 1000)).toFixed(0)} frames a second, script ${script_ms.toFixed(2)} ms a frame (at most 8), longest frame ${frames.longest_ms.toFixed(0)} ms`,
    );
    await v.context.close();
  }
});

async function spent(session: CDPSession): Promise<{ script: number }> {
  const { metrics } = await session.send("Performance.getMetrics");
  return { script: metrics.find((metric) => metric.name === "ScriptDuration")?.value ?? NaN };
}

// Drags the board about, and counts the frames that it takes.
async function panned(page: Page, ms: number): Promise<{ count: number; ms: number; longest_ms: number }> {
  const box = (await page.locator(".board").boundingBox())!;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.evaluate(() => {
    const frames: number[] = [];
    Object.assign(window, { frames });
    const next = (time: number) => {
      frames.push(time);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  const end = Date.now() + ms;
  for (let i = 0; Date.now() < end; ++i) {
    await page.mouse.move(middle.x + Math.sin(i / 12) * box.width * 0.3, middle.y + Math.cos(i / 17) * box.height * 0.3);
  }
  await page.mouse.up();
  const frames = (await page.evaluate("frames")) as number[];
  const gaps = frames.slice(1).map((time, i) => time - frames[i]!);
  return { count: gaps.length, ms: frames[frames.length - 1]! - frames[0]!, longest_ms: Math.max(...gaps) };
}

// An hour at a brisk table: a turn every twenty seconds, and now and then
// something to put right.
const HOUR_EVENTS = 600;

it("eight pages on one game for an hour of events, as fast as they can be made", { timeout: 900_000 }, async () => {
  const { gameId } = await createGame(stage.client, "eight", "Eight");
  await playTurns(stage.client, gameId, 1, 40);
  const { tileSet } = (await stage.client.getGame({ gameId })).state!;
  const { tiles } = await stage.client.getTileSet({ tileSet });
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  const visits = await Promise.all(
    Array.from({ length: 8 }, (_, i) => visit(stage.browser, `${stage.house.origin}/#/${["board", "scores", "timeline", "overlay"][i % 4]}/${gameId}`)),
  );
  await visits[0]!.page.waitForTimeout(2_000);
  const heap_mib = async () => {
    let sum = 0;
    for (const { context, page } of visits) {
      const session = await context.newCDPSession(page);
      await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      await session.detach();
      sum += usedSize;
    }
    return sum / visits.length / 1024 / 1024;
  };
  let request = 0;
  const round = async () => {
    for (let turn = 40; turn > 20; --turn) await stage.client.undoTurn({ requestId: `undo-${++request}`, gameId });
    await playTurns(stage.client, gameId, 21, 40, `again-${++request}`);
    const state = (await stage.client.getGame({ gameId })).state!;
    await camera.see(state);
    await camera.see(state, misfit(state, tiles));
    await camera.see(state);
    return (await stage.client.getGame({ gameId })).state!.eventNumber;
  };
  // The first round warms up: what it leaves is what a page holds.
  const before = await round();
  const sizes: number[] = [];
  let events = before;
  while (events < before + BigInt(HOUR_EVENTS)) {
    events = await round();
    await visits[0]!.page.waitForTimeout(700);
    sizes.push(await heap_mib());
  }
  for (const { page } of visits.filter((_, i) => i % 4 === 0)) await boardHolds(page, 41);
  const third = Math.ceil(sizes.length / 3);
  const mean = (some: readonly number[]) => some.reduce((sum, size) => sum + size, 0) / some.length;
  const [early, late] = [mean(sizes.slice(0, third)), mean(sizes.slice(-third))];
  say("eight pages, heap a page", `${sizes.map((size) => size.toFixed(1)).join(", ")} MiB`);
  say(
    "eight pages, an hour of events",
    `${events - before} events, heap ${early.toFixed(2)} MiB a page in the first third, ${late.toFixed(2)} MiB in the last (${((late / early - 1) * 100).toFixed(1)} %)`,
  );
  await Promise.all(visits.map(({ context }) => context.close()));
});
