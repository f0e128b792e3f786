import { create } from "@bufbuild/protobuf";
import { FigureKind, PlacedFigureSchema, Pose, SegmentKind, type TileType } from "../gen/tilewarden/v1/game_pb";
import { rotatedPoint } from "../model/grid";
import { BoardFigure } from "./figure";
import { TileDrawing } from "./tile";

interface Props {
  type: TileType | undefined;
  rotation: number;
  // Somebody's figure on one of its segments.
  figure?: { readonly colour: string; readonly kind: FigureKind; readonly segment: number } | undefined;
}

// A tile by itself, as a button or a list shows it.
export function TileThumb({ type, rotation, figure }: Props) {
  const segment = figure && type?.segments[figure.segment];
  return (
    <svg class="thumb" viewBox="0 0 100 100" aria-hidden="true">
      <g class="tile">
        <TileDrawing type={type} rotation={rotation} variant={0} />
      </g>
      {figure && segment && (
        <BoardFigure
          figure={create(PlacedFigureSchema, {
            colour: figure.colour,
            kind: figure.kind,
            cell: { x: 0, y: 0 },
            segment: figure.segment,
            pose: segment.kind === SegmentKind.FIELD ? Pose.LYING : Pose.STANDING,
            spot: rotatedPoint(segment.spot ?? { x: 0.5, y: 0.5 }, rotation),
          })}
          isNew={false}
        />
      )}
    </svg>
  );
}
