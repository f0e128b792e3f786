// What hangs on a question. Pure.
import type { Player } from "../gen/tilewarden/v1/game_pb";

export interface Stake {
  readonly colour: string;
  readonly points: number;
}

// By how much each player's points differ between the ways that it may have been, the
// most first. What is still open counts as if the game ended now.
export function stakesOf(ways: readonly (readonly Player[])[]): readonly Stake[] {
  const colours = [...new Set(ways.flatMap((players) => players.map(({ colour }) => colour)))];
  return colours
    .map((colour) => {
      const points = ways.map((players) => players.find((player) => player.colour === colour)?.liveScore ?? 0);
      return { colour, points: Math.max(...points) - Math.min(...points) };
    })
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points);
}
