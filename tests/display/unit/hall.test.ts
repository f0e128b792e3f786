import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GameClockSchema, GamePhase, GameSummarySchema, type GameSummary } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { keepHidden, readHidden } from "../../../services/display/src/live/use_hidden";
import { clockFace, isHall, leftMs, playedMs, queueOf, turnMs } from "../../../services/display/src/model/hall";

const game = (gameId: string, more: MessageInitShape<typeof GameSummarySchema> = {}): GameSummary =>
  create(GameSummarySchema, { gameId, phase: GamePhase.PLAYING, ...more });
const clock = (more: MessageInitShape<typeof GameClockSchema>) => create(GameClockSchema, more);

describe("the queue for the referee", () => {
  it("has whoever called and whatever is open, oldest first, and those to whom nobody goes before the others", () => {
    const games = [
      game("calm"),
      game("young", { call: { calledMs: 900n } }),
      game("coming", { call: { calledMs: 100n, comingMs: 950n, referee: "Anna" } }),
      game("open", { troubledSinceMs: 300n, openQuestions: 1 }),
    ];
    const queue = queueOf(games);
    expect(queue.map(({ game: { gameId } }) => gameId)).toEqual(["open", "young", "coming"]);
    expect(queue.map(({ called }) => called)).toEqual([false, true, true]);
    expect(queue.map(({ sinceMs }) => sinceMs)).toEqual([300, 900, 100]);
    expect(queue.map(({ coming, referee }) => [coming, referee])).toEqual([[false, ""], [false, ""], [true, "Anna"]]);
  });

  it("counts from what came first, and for a referee who goes by itself from then", () => {
    expect(queueOf([game("both", { call: { calledMs: 500n }, troubledSinceMs: 200n })])[0]?.sinceMs).toBe(200);
    expect(queueOf([game("alone", { call: { comingMs: 700n } })])[0]).toMatchObject({ sinceMs: 700, called: false, coming: true });
  });
});

describe("clocks", () => {
  it("run, and stand still while the referee is called", () => {
    const running = clock({ beganMs: 1_000n, turnMs: 5_000n, runningSinceMs: 60_000n });
    expect(turnMs(running, 63_000)).toBe(8_000);
    expect(playedMs(running, 63_000)).toBe(62_000);
    expect(turnMs(clock({ beganMs: 1_000n, turnMs: 5_000n }), 63_000)).toBe(5_000);
    expect(turnMs(undefined, 63_000)).toBe(0);
    expect(playedMs(clock({}), 63_000)).toBe(0);
    // The engine service's clock may be a little ahead.
    expect(turnMs(running, 59_000)).toBe(5_000);
  });

  it("say what is left to whoever is to move and to the others, if there is a limit", () => {
    const limited = clock({ limitMs: 60_000n, thoughtMs: { red: 50_000n, blue: 20_000n }, runningSinceMs: 100_000n });
    expect(leftMs(limited, "red", "red", 104_000)).toBe(6_000);
    expect(leftMs(limited, "blue", "red", 104_000)).toBe(40_000);
    expect(leftMs(limited, "red", "red", 115_000)).toBe(-5_000);
    expect(leftMs(limited, "green", "red", 104_000)).toBe(60_000);
    expect(leftMs(clock({ thoughtMs: { red: 50_000n } }), "red", "red", 104_000)).toBeUndefined();
  });

  it.each([
    [0, "0:00"],
    [42_999, "0:42"],
    [725_000, "12:05"],
    [3_753_000, "1:02:33"],
    [-999, "0:00"],
    [-10_500, "−0:10"],
  ])("show %i ms as %s", (ms, face) => expect(clockFace(ms)).toBe(face));
});

describe("a hall", () => {
  const now = 10 * 3_600_000;
  const lately = { createdMs: BigInt(now - 60_000) };
  const old = { createdMs: 0n, clock: { runningSinceMs: 1n } };
  it("is where more tables than one play, not a house with games that nobody ended", () => {
    expect(isHall([game("a", lately)], now)).toBe(false);
    expect(isHall([game("a", lately), game("b", lately)], now)).toBe(true);
    expect(isHall([game("a", lately), game("b", old)], now)).toBe(false);
    expect(isHall([game("a", lately), game("b", { ...lately, phase: GamePhase.ENDED })], now)).toBe(false);
    expect(isHall([game("a", lately), game("b", { createdMs: 0n, clock: { runningSinceMs: BigInt(now - 1) } })], now)).toBe(true);
    expect(isHall([game("a", lately), game("b", { createdMs: 0n, call: { calledMs: 1n } })], now)).toBe(true);
  });
});

describe("hidden tables", () => {
  const shelf = () => {
    const kept = new Map<string, string>();
    return {
      kept,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
  };
  it("are kept on the device, and nothing is when none is hidden", () => {
    const store = shelf();
    keepHidden(store, ["a", "b"]);
    expect(readHidden(store)).toEqual(["a", "b"]);
    keepHidden(store, []);
    expect(readHidden(store)).toEqual([]);
    expect(store.kept.size).toBe(0);
  });
  it("are none where the browser keeps nothing, or something else", () => {
    expect(readHidden(undefined)).toEqual([]);
    for (const torn of ["{", "7", '{"a":1}', '["a",3]']) {
      const store = shelf();
      store.setItem("tilewarden.hidden", torn);
      expect(readHidden(store)).toEqual(torn === '["a",3]' ? ["a"] : []);
    }
    expect(() => keepHidden({ setItem: () => { throw new Error("full"); }, removeItem: () => {} }, ["a"])).not.toThrow();
  });
});
