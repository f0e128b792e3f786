// The shape of a whole feature, in the board's coordinates. Pure.
import type { PlacedTile, TileType } from "../gen/tilewarden/v1/game_pb";
import { outlinesOf, type SegmentPlace } from "../model/features";
import { cellKey, rotatedPoint } from "../model/grid";
import { outlineD } from "./shapes";

export function glowOf(
  places: readonly SegmentPlace[],
  tiles: readonly PlacedTile[],
  types: ReadonlyMap<string, TileType>,
): string {
  const laid = new Map(tiles.map((tile) => [cellKey(tile.cell), tile]));
  return places
    .flatMap(({ cell, segment }) => {
      const tile = laid.get(cellKey(cell));
      const type = tile && types.get(tile.tile);
      if (!tile || !type) return [];
      return outlinesOf(type, segment).map((outline) =>
        outlineD(
          outline.map((p) => {
            const turned = rotatedPoint(p, tile.rotation);
            return { x: (cell.x + turned.x) * 100, y: (cell.y + turned.y) * 100 };
          }),
        ),
      );
    })
    .join("");
}
