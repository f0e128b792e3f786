import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it } from "vitest";
import { GameService, HeartbeatSchema, WatchGameResponseSchema, type WatchGameRequest, type WatchGameResponse } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { delayBefore_ms, watchGame, type Clock, type Link, type Watch } from "../../../services/display/src/live/watcher";
import type { View } from "../../../services/display/src/model/view";
import { event, player, state, tile } from "./make";

// A clock that goes only when it is told to.
class TestClock implements Clock {
  private timers: { at: number; run: () => void }[] = [];
  private now = 0;
  after(ms: number, run: () => void) {
    const timer = { at: this.now + ms, run };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((t) => t !== timer));
  }
  async advance(ms: number) {
    this.now += ms;
    const due = this.timers.filter((t) => t.at <= this.now);
    this.timers = this.timers.filter((t) => t.at > this.now);
    for (const { run } of due) run();
    await settle();
  }
}

const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 20));

type Script = (request: WatchGameRequest, signal: AbortSignal) => AsyncIterable<WatchGameResponse>;
const say = (what: WatchGameResponse["what"]) => create(WatchGameResponseSchema, { what });
const stateMessage = (eventNumber: bigint) => say({ case: "state", value: state({ eventNumber }) });
const turn = (number: bigint, n: number) =>
  say({
    case: "event",
    value: event(number, { what: { case: "turnPlayed", value: { turn: n, tile: tile(n, n, 0) } }, players: [player("red", n)], toMove: "red" }),
  });
const forever = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new ConnectError("left", Code.Canceled))));

let watch: Watch | undefined;
afterEach(() => watch?.stop());

// Connection by connection: what the service does, and what was asked of it.
async function follow(scripts: readonly Script[], gameId = "") {
  const clock = new TestClock();
  const requests: WatchGameRequest[] = [];
  const views: View[] = [];
  const links: Link[] = [];
  const transport = createRouterTransport(({ service }) =>
    service(GameService, {
      watchGame(request, context) {
        const script = scripts[Math.min(requests.length, scripts.length - 1)]!;
        requests.push(request);
        return script(request, context.signal);
      },
    }),
  );
  const client = createClient(GameService, transport);
  watch = watchGame({
    gameId,
    open: (id, resumeAfter, signal) => client.watchGame({ gameId: id, resumeAfter }, { signal }),
    onView: (view) => views.push(view),
    onLink: (link) => links.push(link),
    clock,
    silence_ms: 15_000,
  });
  await settle();
  return { clock, requests, views, links };
}

describe("watching", () => {
  it("shows the state first, then every event", async () => {
    const { views, links } = await follow([
      async function* (_, signal) {
        yield stateMessage(1n);
        yield turn(2n, 1);
        await forever(signal);
      },
    ]);
    expect(views.map((v) => v.eventNumber)).toEqual([1n, 2n]);
    expect(links.at(-1)).toBe("live");
  });

  it("resumes the same game after the last event when the connection is lost", async () => {
    const { clock, requests, views, links } = await follow([
      async function* () {
        yield stateMessage(1n);
        yield turn(2n, 1);
        throw new ConnectError("gone", Code.Unavailable);
      },
      async function* (_, signal) {
        yield turn(3n, 2);
        await forever(signal);
      },
    ]);
    expect(links.at(-1)).toBe("stale");
    await clock.advance(delayBefore_ms(1));
    expect(requests[1]).toMatchObject({ gameId: "g", resumeAfter: 2n });
    expect(views.at(-1)?.tiles).toHaveLength(3);
    expect(links.at(-1)).toBe("live");
  });

  it("begins anew when the service does not know the number any more", async () => {
    const { clock, requests, views } = await follow([
      async function* () {
        yield stateMessage(9n);
      },
      async function* () {
        throw new ConnectError("ahead of the log", Code.OutOfRange);
      },
      async function* (_, signal) {
        yield stateMessage(4n);
        await forever(signal);
      },
    ]);
    await clock.advance(delayBefore_ms(1));
    expect(requests.map((r) => r.resumeAfter)).toEqual([0n, 9n, 0n]);
    expect(views.at(-1)?.eventNumber).toBe(4n);
  });

  it("does not believe a stream with a gap", async () => {
    const { requests, views } = await follow([
      async function* (_, signal) {
        yield stateMessage(1n);
        yield turn(3n, 2);
        await forever(signal);
      },
      async function* (_, signal) {
        yield stateMessage(3n);
        await forever(signal);
      },
    ]);
    expect(requests.map((r) => r.resumeAfter)).toEqual([0n, 0n]);
    expect(views.map((v) => v.eventNumber)).toEqual([1n, 3n]);
  });

  it("takes silence for a lost connection, and heartbeats for life", async () => {
    let beat = () => {};
    const { clock, requests, links } = await follow([
      async function* (_, signal) {
        yield stateMessage(1n);
        await new Promise<void>((resolve) => (beat = resolve));
        yield say({ case: "heartbeat", value: create(HeartbeatSchema, {}) });
        await forever(signal);
      },
    ]);
    await clock.advance(10_000);
    beat();
    await settle();
    await clock.advance(10_000);
    expect(requests).toHaveLength(1);
    await clock.advance(6_000);
    expect(links.at(-1)).toBe("stale");
    await clock.advance(delayBefore_ms(1));
    expect(requests).toHaveLength(2);
  });

  it("waits for a game that is not there yet", async () => {
    const { clock, links } = await follow([
      async function* () {
        throw new ConnectError("no game", Code.NotFound);
      },
      async function* (_, signal) {
        yield stateMessage(1n);
        await forever(signal);
      },
    ]);
    expect(links.at(-1)).toBe("absent");
    await clock.advance(delayBefore_ms(1));
    expect(links.at(-1)).toBe("live");
  });

  it("tries at once when it is woken", async () => {
    const { requests } = await follow([
      async function* () {
        throw new ConnectError("gone", Code.Unavailable);
      },
    ]);
    watch?.wake();
    await settle();
    expect(requests).toHaveLength(2);
  });

  it("asks ever less often, but never less than every five seconds", () => {
    const delays = Array.from({ length: 40 }, (_, i) => delayBefore_ms(i + 1));
    expect(delays[0]).toBe(250);
    expect(delays.every((d, i) => i === 0 || d >= delays[i - 1]!)).toBe(true);
    expect(Math.max(...delays)).toBe(5_000);
  });
});
