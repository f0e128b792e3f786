// Keeps one watch of one game going: opens the stream, folds what comes, and
// after a loss resumes where it was. Knows no page and no transport, so that it
// can be tested with a scripted service and a clock of its own.
import { Code, ConnectError } from "@connectrpc/connect";
import type { WatchGameResponse } from "../gen/tilewarden/v1/game_pb";
import { fold, viewOf, type View } from "../model/view";

export type Link =
  // No answer yet.
  | "connecting"
  | "live"
  // What is shown may be old; trying again.
  | "stale"
  // The service answers, and there is no such game (yet).
  | "absent";

export interface Clock {
  after(ms: number, run: () => void): () => void;
}

export interface WatchOptions {
  // Empty: the newest game.
  readonly gameId: string;
  open(gameId: string, resumeAfter: bigint, signal: AbortSignal): AsyncIterable<WatchGameResponse>;
  onView(view: View): void;
  onLink(link: Link): void;
  readonly clock: Clock;
  // Longer silence than this is a lost connection: heartbeats come every few seconds.
  readonly silence_ms?: number;
}

export interface Watch {
  stop(): void;
  // Try now instead of later: the network is back, or the tablet woke up.
  wake(): void;
}

export const wallClock: Clock = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

// Milliseconds to wait before try number `attempt` (from 1): soon at first,
// then patiently.
export const delayBefore_ms = (attempt: number): number =>
  Math.min(5_000, 250 * 2 ** Math.min(attempt - 1, 10));

export function watchGame(options: WatchOptions): Watch {
  const { clock, silence_ms = 15_000 } = options;
  let view: View | undefined;
  let stopped = false;
  let attempt = 0;
  let connection = new AbortController();
  let endPause = () => {};
  let pausing = false;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(ms, () => endPause());
      pausing = true;
      endPause = () => {
        pausing = false;
        cancel();
        resolve();
      };
    });

  // True when the next try should follow at once.
  async function once(): Promise<boolean> {
    connection = new AbortController();
    const { signal } = connection;
    let stopSilence = () => {};
    const heard = () => {
      stopSilence();
      stopSilence = clock.after(silence_ms, () => connection.abort());
    };
    heard();
    try {
      const gameId = view?.gameId ?? options.gameId;
      for await (const { what } of options.open(gameId, view?.eventNumber ?? 0n, signal)) {
        if (stopped) return false;
        heard();
        attempt = 0;
        if (what.case === "state") {
          view = viewOf(what.value, view);
        } else if (what.case === "event" && view) {
          if (what.value.number > view.eventNumber + 1n) {
            // A gap: what is shown can not be right any more.
            view = undefined;
            return true;
          }
          view = fold(view, what.value);
        }
        if (view && what.case !== "heartbeat") options.onView(view);
        options.onLink(view ? "live" : "connecting");
      }
    } catch (error) {
      if (stopped) return false;
      const { code } = ConnectError.from(error);
      if (code === Code.OutOfRange && view) {
        view = undefined;
        return true;
      }
      if (code === Code.NotFound) {
        // Asked for the newest game: another one may be there by now.
        view = undefined;
        options.onLink("absent");
        return false;
      }
    } finally {
      stopSilence();
      connection.abort();
    }
    if (!stopped) options.onLink(view ? "stale" : "connecting");
    return false;
  }

  async function run() {
    options.onLink("connecting");
    while (!stopped) {
      if (await once()) continue;
      if (stopped) return;
      attempt += 1;
      await pause(delayBefore_ms(attempt));
    }
  }
  void run();

  return {
    stop() {
      stopped = true;
      connection.abort();
      endPause();
    },
    wake() {
      attempt = 0;
      if (pausing) endPause();
      else connection.abort();
    },
  };
}
