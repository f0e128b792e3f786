import { create } from "@bufbuild/protobuf";
import { lookOf } from "../../draw/colours";
import { BoardFigure, footOf } from "../../draw/figure";
import { TileDrawing, variantAt } from "../../draw/tile";
import { PlacedFigureSchema, type PlacedFigure, type PlacedTile } from "../../gen/tilewarden/v1/game_pb";
import { contextOf, drawn, drawingStyle, painted } from "../../live/keep";
import type { TileTypes } from "../../live/use_game";
import { svgFile } from "../../model/keep";
import type { Script } from "../../model/replay";
import type { Texts } from "../../texts/texts";

const COLUMNS = 10;
// Of a figure's box of 100 x 100, where its foot is.
const FOOT = { x: 50, y: 60 };

const tileKey = ({ tile, rotation, cell }: PlacedTile): string => `${tile}/${rotation & 3}/${variantAt(cell?.x ?? 0, cell?.y ?? 0)}`;
const figureKey = ({ colour, kind, pose }: PlacedFigure): string => `${colour}/${kind}/${pose}`;

// Everything that a film shows, drawn once into one picture each of tiles and figures: a frame copies
// from there.
export class Sprites {
  private readonly colours = new Map<string, string>();

  private constructor(
    // Pixels to a cell.
    readonly cell: number,
    private readonly tiles: { sheet: CanvasImageSource; places: ReadonlyMap<string, number> },
    private readonly figures: { sheet: CanvasImageSource; places: ReadonlyMap<string, number> },
  ) {}

  static async of(script: Script, types: TileTypes, texts: Texts, cell: number): Promise<Sprites> {
    const views = script.scenes.flatMap(({ ground, after }) => [ground, after]);
    const parts = script.scenes.flatMap((scene) => scene.parts);
    const tiles = new Map(views.flatMap((view) => view.tiles).map((tile) => [tileKey(tile), tile]));
    const moving = parts.flatMap((part) => (part.kind === "figure" ? [part.figure] : []));
    const figures = new Map([...views.flatMap((view) => [...view.figures, ...view.neutral]), ...moving].map((figure) => [figureKey(figure), figure]));
    const [tileSheet, figureSheet] = await Promise.all([
      sheetOf("tile", [...tiles.values()], cell, texts, (tile) => ({
        viewBox: "0 0 100 100",
        child: <TileDrawing type={types.get(tile.tile)} rotation={tile.rotation} variant={variantAt(tile.cell?.x ?? 0, tile.cell?.y ?? 0)} />,
      })),
      sheetOf("", [...figures.values()], cell, texts, (figure) => {
        const alone = create(PlacedFigureSchema, { colour: figure.colour, kind: figure.kind, pose: figure.pose, cell: { x: 0, y: 0 }, spot: { x: 0.5, y: 0.5 } });
        const foot = footOf(alone);
        return { viewBox: `${foot.x - FOOT.x} ${foot.y - FOOT.y} 100 100`, child: <BoardFigure figure={alone} isNew={false} /> };
      }),
    ]);
    const placed = (keys: Iterable<string>) => new Map([...keys].map((key, i) => [key, i]));
    return new Sprites(cell, { sheet: tileSheet, places: placed(tiles.keys()) }, { sheet: figureSheet, places: placed(figures.keys()) });
  }

  tile(to: CanvasRenderingContext2D, tile: PlacedTile, x: number, y: number): void {
    this.copy(to, this.tiles, tileKey(tile), x, y);
  }

  // Around the tile that is laid just now, in the colour of whoever lays it.
  rim(to: CanvasRenderingContext2D, colour: string, x: number, y: number): void {
    const width = Math.max(2, this.cell / 20);
    for (const [style, wide] of [["#fff", 2 * width], [this.colour("--player", colour), width]] as const) {
      to.strokeStyle = style;
      to.lineWidth = wide;
      to.strokeRect(x, y, this.cell, this.cell);
    }
  }

  // `x` and `y`: where the board's origin is.
  figure(to: CanvasRenderingContext2D, figure: PlacedFigure, x: number, y: number): void {
    const foot = footOf(figure);
    this.copy(to, this.figures, figureKey(figure), x + ((foot.x - FOOT.x) * this.cell) / 100, y + ((foot.y - FOOT.y) * this.cell) / 100);
  }

  mark(to: CanvasRenderingContext2D, colour: string, x: number, y: number, size: number): void {
    to.save();
    to.translate(x, y);
    to.fillStyle = this.colour("--player", colour);
    to.beginPath();
    to.roundRect(-size, -size, 2 * size, 2 * size, size / 2);
    to.fill();
    to.scale(size / 2, size / 2);
    to.fillStyle = this.colour("--ink", colour);
    to.fill(new Path2D(lookOf(colour).symbol));
    to.restore();
  }

  // Points on a plate of their player's, around the middle.
  gain(to: CanvasRenderingContext2D, colour: string, words: string): void {
    const height = Math.max(20, this.cell * 0.44);
    to.font = this.font(height * 0.8, 800);
    const width = to.measureText(words).width + height * 0.6;
    to.beginPath();
    to.roundRect(-width / 2, -height / 2, width, height, height / 2);
    to.fillStyle = this.colour("--player", colour);
    to.fill();
    to.strokeStyle = "#fff";
    to.lineWidth = Math.max(1.5, height / 12);
    to.stroke();
    to.fillStyle = this.colour("--ink", colour);
    to.textAlign = "center";
    to.textBaseline = "middle";
    to.fillText(words, 0, height * 0.04);
  }

  // Each figure once, in a row: for a picture that has all colours.
  scatter(to: CanvasRenderingContext2D): void {
    [...this.figures.places.keys()].forEach((key, i) => this.copy(to, this.figures, key, (i % COLUMNS) * this.cell, 0));
  }

  // A colour of the page's style, or of one player.
  colour(name: string, player = ""): string {
    const key = `${name}/${player}`;
    const known = this.colours.get(key);
    if (known) return known;
    const probe = document.createElement("i");
    probe.className = player && lookOf(player).className;
    document.body.append(probe);
    const colour = getComputedStyle(probe).getPropertyValue(name).trim() || "#7a5aa8";
    probe.remove();
    this.colours.set(key, colour);
    return colour;
  }

  font = (size: number, weight: number): string => `${weight} ${size}px ${getComputedStyle(document.documentElement).fontFamily}`;

  private copy(to: CanvasRenderingContext2D, { sheet, places }: Sprites["tiles"], key: string, x: number, y: number): void {
    const i = places.get(key);
    if (i === undefined) return;
    const { cell } = this;
    to.drawImage(sheet, (i % COLUMNS) * cell, Math.floor(i / COLUMNS) * cell, cell, cell, x, y, cell, cell);
  }
}

// One picture of many drawings, each in a box of `cell` pixels.
async function sheetOf<T>(style: string, all: readonly T[], cell: number, texts: Texts, draw: (one: T) => { viewBox: string; child: preact.ComponentChild }): Promise<CanvasImageSource> {
  const rows = Math.ceil(all.length / COLUMNS);
  if (rows === 0) return contextOf(1, 1).canvas;
  const { palette, theme } = document.documentElement.dataset;
  const drawing = drawn(
    <svg viewBox={`0 0 ${COLUMNS * 100} ${rows * 100}`} data-palette={palette} data-theme={theme}>
      {all.map((one, i) => {
        const { viewBox, child } = draw(one);
        return (
          <svg key={i} class={style} x={(i % COLUMNS) * 100} y={Math.floor(i / COLUMNS) * 100} width="100" height="100" viewBox={viewBox}>
            {child}
          </svg>
        );
      })}
    </svg>,
    texts,
  );
  return painted(svgFile(drawing, drawingStyle()), Math.max(COLUMNS, rows) * cell);
}
