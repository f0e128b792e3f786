// A hall of tables: who waits for a referee, and what the clocks say. Pure. `now` is by the engine
// service's clock, in milliseconds since 1970.
import { GamePhase, type GameClock, type GameSummary, type RefereeCall } from "../gen/tilewarden/v1/game_pb";

export interface Waiting {
  readonly game: GameSummary;
  // The players called; else something on the table is to be put right or answered, or a referee
  // goes by itself.
  readonly called: boolean;
  readonly sinceMs: number;
  readonly coming: boolean;
  // Of whoever is on the way; may be empty.
  readonly referee: string;
}

// Who waits, oldest first; those to whom nobody goes yet come before the others.
export function queueOf(games: readonly GameSummary[]): Waiting[] {
  return games
    .filter((game) => game.call || game.troubledSinceMs > 0n)
    .map((game): Waiting => {
      // A referee who goes by itself waits for nobody.
      const since = [game.call?.calledMs ?? 0n, game.troubledSinceMs].filter((ms) => ms > 0n).map(Number);
      return {
        game,
        called: (game.call?.calledMs ?? 0n) > 0n,
        sinceMs: since.length > 0 ? Math.min(...since) : Number(game.call?.comingMs ?? 0n),
        coming: isComing(game.call),
        referee: game.call?.referee ?? "",
      };
    })
    .sort((a, b) => Number(a.coming) - Number(b.coming) || a.sinceMs - b.sinceMs);
}

export const isComing = (call: RefereeCall | undefined): boolean => (call?.comingMs ?? 0n) > 0n;

// How long the present turn has taken.
export function turnMs(clock: GameClock | undefined, now: number): number {
  if (!clock) return 0;
  const running = clock.runningSinceMs > 0n ? Math.max(0, now - Number(clock.runningSinceMs)) : 0;
  return Number(clock.turnMs) + running;
}

// How long it is since play began; 0: it has not.
export const playedMs = (clock: GameClock | undefined, now: number): number =>
  clock && clock.beganMs > 0n ? Math.max(0, now - Number(clock.beganMs)) : 0;

// What a player may still think, below 0 when the time is over; undefined: as long as they like.
export function leftMs(clock: GameClock | undefined, colour: string, toMove: string, now: number): number | undefined {
  if (!clock || clock.limitMs === 0n) return undefined;
  const thought = Number(clock.thoughtMs[colour] ?? 0n) + (colour === toMove ? turnMs(clock, now) : 0);
  return Number(clock.limitMs) - thought;
}

// "0:42", "12:05", "1:02:33", and "−0:10" of what is over.
export function clockFace(ms: number): string {
  const seconds = Math.floor(Math.abs(ms) / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${ms <= -1000 ? "−" : ""}${h > 0 ? `${h}:${two(m)}` : m}:${two(s)}`;
}

// A game that nobody has played for so long is one that was never ended.
const FORGOTTEN_MS = 3 * 3_600_000;

// Whether more tables than one play here, so that a referee goes about.
export function isHall(games: readonly GameSummary[], now: number): boolean {
  const lively = ({ phase, createdMs, clock, call }: GameSummary) =>
    phase !== GamePhase.ENDED && (call !== undefined || now - Math.max(Number(createdMs), Number(clock?.runningSinceMs ?? 0n)) < FORGOTTEN_MS);
  return games.filter(lively).length > 1;
}
