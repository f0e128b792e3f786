// Tiles and figures as they lie, in the board's coordinates: 100 to a cell.
import { BoardFigure } from "../draw/figure";
import { memo } from "../draw/memo";
import { TileDrawing, variantAt } from "../draw/tile";
import type { PlacedFigure, PlacedTile } from "../gen/tilewarden/v1/game_pb";
import type { TileTypes } from "../live/use_game";
import { cellKey, sameCell } from "../model/grid";

export const Tiles = memo(function Tiles(props: { tiles: readonly PlacedTile[]; types: TileTypes; newest: PlacedTile | undefined }) {
  return (
    <g>
      {props.tiles.map((tile) => (
        <BoardTile key={cellKey(tile.cell)} tile={tile} type={props.types.get(tile.tile)} isNew={tile === props.newest} />
      ))}
    </g>
  );
});

const BoardTile = memo(function BoardTile(props: { tile: PlacedTile; type: ReturnType<TileTypes["get"]>; isNew: boolean }) {
  const { tile, type, isNew } = props;
  const x = tile.cell?.x ?? 0;
  const y = tile.cell?.y ?? 0;
  return (
    <svg class={`tile${isNew ? " is-new" : ""}`} data-cell={`${x},${y}`} data-tile={tile.tile} data-rotation={tile.rotation} x={x * 100} y={y * 100} width="100" height="100" viewBox="0 0 100 100">
      <TileDrawing type={type} rotation={tile.rotation} variant={variantAt(x, y)} />
    </svg>
  );
});

export const Figures = memo(function Figures(props: { figures: readonly PlacedFigure[]; neutral: readonly PlacedFigure[]; newest: PlacedTile | undefined }) {
  // From far to near, so that heads overlap feet.
  const depth = (figure: PlacedFigure) => (figure.cell?.y ?? 0) + (figure.spot?.y ?? 0);
  const sorted = [...props.figures, ...props.neutral].sort((a, b) => depth(a) - depth(b));
  return (
    <g>
      {sorted.map((figure) => (
        <BoardFigure
          key={`${figure.colour}/${figure.kind}/${cellKey(figure.cell)}/${figure.segment}`}
          figure={figure}
          isNew={sameCell(figure.cell, props.newest?.cell)}
        />
      ))}
    </g>
  );
});
