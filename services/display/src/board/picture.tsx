import { GamePhase } from "../gen/tilewarden/v1/game_pb";
import type { TileTypes } from "../live/use_game";
import { boundsOf, type XY } from "../model/grid";
import type { View } from "../model/view";
import { Figures, Tiles } from "./pieces";

interface Props {
  view: View;
  types: TileTypes;
  label?: string;
  // Only this part: so many cells to every side of one, as far as the board goes.
  around?: { readonly cell: XY; readonly reach: number };
}

// The board as a picture that nobody moves: for walls, for keeping, for questions.
export function BoardPicture({ view, types, label, around }: Props) {
  const board = boundsOf(view.tiles.flatMap((tile) => tile.cell ?? [])) ?? { left: 0, top: 0, right: 1, bottom: 1 };
  const { left, top, right, bottom } = around
    ? {
        left: Math.max(board.left, around.cell.x - around.reach),
        top: Math.max(board.top, around.cell.y - around.reach),
        right: Math.min(board.right, around.cell.x + around.reach + 1),
        bottom: Math.min(board.bottom, around.cell.y + around.reach + 1),
      }
    : board;
  const margin = 12;
  const newest = view.phase === GamePhase.ENDED ? undefined : around ? { cell: around.cell } : view.last?.tile;
  return (
    <svg
      class="board-picture"
      viewBox={`${left * 100 - margin} ${top * 100 - margin} ${(right - left) * 100 + 2 * margin} ${(bottom - top) * 100 + 2 * margin}`}
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" })}
    >
      <Tiles tiles={view.tiles} types={types} newest={undefined} />
      {newest?.cell && <rect class="picture-last" x={newest.cell.x * 100} y={newest.cell.y * 100} width="100" height="100" rx="4" />}
      <Figures figures={view.figures} neutral={view.neutral} newest={undefined} />
    </svg>
  );
}
