// The score sheet: every player's points by what they were given for. Pure.
import type { Player, ScoreItem } from "../gen/tilewarden/v1/game_pb";

export const KINDS = ["city", "road", "monastery", "garden", "field", "other"] as const;
export type Kind = (typeof KINDS)[number];

// "city.incomplete" counts as city.
export function kindOf(item: ScoreItem): Kind {
  const stem = item.kind.split(".")[0];
  return KINDS.find((kind) => kind === stem) ?? "other";
}

export interface SheetRow {
  readonly kind: Kind;
  // In the players' order.
  readonly points: readonly number[];
}

export const sheetOf = (players: readonly Player[], items: readonly ScoreItem[]): SheetRow[] =>
  KINDS.map((kind) => ({
    kind,
    points: players.map(({ colour }) =>
      items
        .filter((item) => item.colour === colour && kindOf(item) === kind)
        .reduce((sum, item) => sum + item.points, 0),
    ),
  })).filter((row) => row.points.some((points) => points !== 0));
