import { FigureKind, Pose, type PlacedFigure } from "../gen/tilewarden/v1/game_pb";
import type { XY } from "../model/grid";
import { lookOf } from "./colours";
import { shapeOf } from "./figures";
import { goodsSign, type Goods } from "./goods";

// Where a figure's drawing has its foot, in the board's coordinates.
export function footOf(figure: PlacedFigure): XY {
  const x = ((figure.cell?.x ?? 0) + (figure.spot?.x ?? 0.5)) * 100;
  const y = ((figure.cell?.y ?? 0) + (figure.spot?.y ?? 0.5)) * 100;
  // Kept on its own tile, even where its feature hugs the edge.
  const top = (figure.cell?.y ?? 0) * 100 + 36;
  return { x, y: figure.pose === Pose.LYING ? y : Math.max(top, y + 12) };
}

// A figure on the board: standing, or lying as farmers do. The spot is where it
// touches the tile.
export function BoardFigure({ figure, isNew }: { figure: PlacedFigure; isNew: boolean }) {
  const lies = figure.pose === Pose.LYING;
  const foot = footOf(figure);
  const look = lookOf(figure.colour);
  const shape = shapeOf(figure.kind);
  return (
    <g
      class={`figure ${shape.className ?? look.className}${lies ? " lies" : ""}${isNew ? " is-new" : ""}`}
      data-figure={`${figure.colour}@${figure.cell?.x},${figure.cell?.y}`}
      data-kind={FigureKind[figure.kind]}
      transform={`translate(${foot.x.toFixed(1)} ${foot.y.toFixed(1)})`}
    >
      <ellipse class="figure-shadow" cx={lies ? 0 : 2} cy={lies ? 9 : 0} rx={lies ? 19 : 13} ry={lies ? 5 : 4} />
      <g transform={lies ? "rotate(-90) translate(0 17)" : undefined}>
        <path class="figure-rim" d={shape.outline} />
        <FigureDrawing kind={figure.kind} />
        {shape.symbol && (
          <path class="figure-symbol" d={look.symbol} transform={`translate(0 ${shape.symbol.y}) scale(${shape.symbol.scale})`} />
        )}
      </g>
    </g>
  );
}

function FigureDrawing({ kind }: { kind: FigureKind | undefined }) {
  const { outline, lines, dots } = shapeOf(kind);
  return (
    <>
      <path class="figure-body" d={outline} />
      {lines && <path class="figure-lines" d={lines} />}
      {dots && <path class="figure-dots" d={dots} />}
    </>
  );
}

// The same as a small sign, for supplies.
export function FigureIcon({ colour, kind, away = false }: { colour: string; kind?: FigureKind; away?: boolean }) {
  return (
    <svg
      class={`figure-icon ${lookOf(colour).className}${away ? " away" : ""}`}
      viewBox={kind ? "-19 -41 38 43" : "-16 -36 32 38"}
      data-kind={kind && FigureKind[kind]}
      aria-hidden="true"
    >
      <FigureDrawing kind={kind} />
    </svg>
  );
}

// A goods token and how many of it a player has.
export function GoodsTokens({ goods, count }: { goods: Goods; count: number }) {
  return (
    <span class="goods" data-goods={goods} data-count={count} aria-hidden="true">
      <svg viewBox="-8 -9 16 17">
        {goodsSign(goods, { x: 0, y: 0 }).map(([name, path], i) => <path key={i} class={name} d={path} />)}
      </svg>
      {count}
    </span>
  );
}

// A player's colour and symbol on a round or square plate.
export function PlayerMark({ colour }: { colour: string }) {
  const look = lookOf(colour);
  return (
    <svg class={`player-mark ${look.className}`} viewBox="-2 -2 4 4" aria-hidden="true">
      <rect class="mark-plate" x="-1.9" y="-1.9" width="3.8" height="3.8" rx="1" />
      <path class="mark-symbol" d={look.symbol} />
    </svg>
  );
}
