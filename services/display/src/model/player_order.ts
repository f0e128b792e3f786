// In which order the people who play are listed. Pure.
import type { PlayerFigures } from "../gen/tilewarden/v1/players_pb";

export const ORDERS = ["wins", "average", "games", "name"] as const;
export type Order = (typeof ORDERS)[number];

// The best first; those who are as good by their names, as the language orders them.
export function ordered(players: readonly PlayerFigures[], order: Order, language: string): PlayerFigures[] {
  const byName = new Intl.Collator(language).compare;
  const worth = {
    wins: (player: PlayerFigures) => player.wins,
    average: (player: PlayerFigures) => player.averagePoints,
    games: (player: PlayerFigures) => player.games,
    name: () => 0,
  }[order];
  return [...players].sort((a, b) => worth(b) - worth(a) || byName(a.name, b.name));
}
