import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { lookOf } from "../draw/colours";
import { BoardFigure } from "../draw/figure";
import { memo } from "../draw/memo";
import { TileDrawing, variantAt } from "../draw/tile";
import { Severity, type Finding, type PlacedFigure, type PlacedTile } from "../gen/tilewarden/v1/game_pb";
import type { TileTypes } from "../live/use_game";
import { boundsOf, cellKey, sameCell, type Bounds, type XY } from "../model/grid";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { fit, kept, toWorld, zoomed, type Camera, type Insets, type Size } from "./camera";
import { attachGestures } from "./gestures";

export interface Lit {
  readonly cells: readonly XY[];
  readonly tone: "points" | "illegal" | "warning" | "note";
}

interface Props {
  view: View;
  types: TileTypes;
  lit: Lit | undefined;
  insets: Insets;
  onTap?: (cell: XY, point: XY) => void;
  controls?: boolean;
  children?: ComponentChildren;
}

// The board, drawn from the game: looks after pan and zoom by itself and follows
// the game until somebody moves it by hand.
export function Board({ view, types, lit, insets, onTap, controls = true, children }: Props) {
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const world = useRef<SVGSVGElement>(null);
  const bounds = useMemo(() => boardBounds(view), [view.tiles, view.findings]);
  const pilot = useRef<Pilot | null>(null);
  const tapped = useRef(onTap);
  tapped.current = onTap;

  useLayoutEffect(() => {
    const element = frame.current;
    const svg = world.current;
    if (!element || !svg) return;
    const steering = new Pilot(svg);
    pilot.current = steering;
    const sizes = new ResizeObserver(() =>
      steering.resize({ width: element.clientWidth, height: element.clientHeight }),
    );
    sizes.observe(element);
    const detach = attachGestures(element, {
      camera: () => steering.camera,
      move: (camera, resting) => steering.steer(camera, resting),
      fit: () => steering.follow(),
      tap: (at) => {
        const p = toWorld(steering.camera, at);
        const cell = { x: Math.floor(p.x / 100), y: Math.floor(p.y / 100) };
        tapped.current?.(cell, { x: p.x / 100 - cell.x, y: p.y / 100 - cell.y });
      },
    });
    return () => {
      sizes.disconnect();
      detach();
      steering.stop();
    };
  }, []);

  useEffect(() => pilot.current?.show(bounds, insets), [bounds, insets.top, insets.bottom, insets.left, insets.right]);
  // What is lit must be in sight.
  useEffect(() => {
    if (lit) pilot.current?.reveal(boundsOf(lit.cells));
  }, [lit]);

  return (
    <div class="board" ref={frame} tabIndex={0} role="group" aria-label={texts.say("board.label", { count: view.tiles.length })}>
      <svg class="world" ref={world} viewBox="0 0 100 100" aria-hidden="true">
        <defs>
          <pattern id="hatch" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="hatch-ground" width="12" height="12" />
            <rect class="hatch-line" width="5" height="12" />
          </pattern>
        </defs>
        <Tiles tiles={view.tiles} types={types} newest={view.last?.tile} />
        <LastMove view={view} label={texts.say("board.inferred")} />
        <Figures figures={view.figures} newest={view.last?.tile} />
        <Veil lit={lit} />
        {view.findings.map((finding) => (
          <FindingTile key={finding.id} finding={finding} types={types} />
        ))}
        <LitCells lit={lit} />
      </svg>
      {controls && (
        <div class="board-controls">
          <button type="button" onClick={() => pilot.current?.zoom(1.4)} aria-label={texts.say("board.in")} title={texts.say("board.in")}>
            <Sign d="M-6 0H6M0 -6V6" />
          </button>
          <button type="button" onClick={() => pilot.current?.zoom(1 / 1.4)} aria-label={texts.say("board.out")} title={texts.say("board.out")}>
            <Sign d="M-6 0H6" />
          </button>
          <button type="button" onClick={() => pilot.current?.follow()} aria-label={texts.say("board.fit")} title={texts.say("board.fit")}>
            <Sign d="M-7 -3V-7H-3M3 -7H7V-3M7 3V7H3M-3 7H-7V3" />
          </button>
        </div>
      )}
      {children}
    </div>
  );
}

const Sign = ({ d }: { d: string }) => (
  <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true">
    <path d={d} />
  </svg>
);

function boardBounds(view: View): Bounds | undefined {
  const cells: XY[] = view.tiles.flatMap((tile) => tile.cell ?? []);
  for (const finding of view.findings) cells.push(...finding.cells, ...(finding.tile?.cell ? [finding.tile.cell] : []));
  return boundsOf(cells);
}

const Tiles = memo(function Tiles(props: { tiles: readonly PlacedTile[]; types: TileTypes; newest: PlacedTile | undefined }) {
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
    <svg class={`tile${isNew ? " is-new" : ""}`} data-cell={`${x},${y}`} data-tile={tile.tile} x={x * 100} y={y * 100} width="100" height="100" viewBox="0 0 100 100">
      <TileDrawing type={type} rotation={tile.rotation} variant={variantAt(x, y)} />
    </svg>
  );
});

const Figures = memo(function Figures(props: { figures: readonly PlacedFigure[]; newest: PlacedTile | undefined }) {
  // From far to near, so that heads overlap feet.
  const depth = (figure: PlacedFigure) => (figure.cell?.y ?? 0) + (figure.spot?.y ?? 0);
  const sorted = [...props.figures].sort((a, b) => depth(a) - depth(b));
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

function LastMove({ view, label }: { view: View; label: string }) {
  const { last } = view;
  if (!last?.tile.cell || last.turn === 0) return null;
  const { x, y } = last.tile.cell;
  return (
    <g class={`last-move ${lookOf(last.tile.colour).className}`} data-last={`${x},${y}`} transform={`translate(${x * 100} ${y * 100})`}>
      <rect class="last-rim" x="-1" y="-1" width="102" height="102" rx="4" />
      <rect class="last-line" x="-1" y="-1" width="102" height="102" rx="4" />
      {last.inferred && (
        <g class="inferred" transform="translate(50 100)">
          <rect x="-55" y="-11" width="110" height="22" rx="11" />
          <text y="4.6" text-anchor="middle">{`? ${label}`}</text>
        </g>
      )}
    </g>
  );
}

// Dims everything but the lit cells.
function Veil({ lit }: { lit: Lit | undefined }) {
  if (!lit || lit.cells.length === 0) return null;
  const holes = lit.cells.map(({ x, y }) => `M${x * 100} ${y * 100}h100v100h-100Z`).join("");
  return <path class="veil" fill-rule="evenodd" d={`M-20000 -20000H20000V20000H-20000Z${holes}`} />;
}

// An outline around the lit cells together, not around each.
function LitCells({ lit }: { lit: Lit | undefined }) {
  if (!lit) return null;
  const inside = new Set(lit.cells.map(cellKey));
  const edges = lit.cells.flatMap(({ x, y }) => [
    inside.has(cellKey({ x, y: y - 1 })) ? "" : `M${x * 100} ${y * 100}h100`,
    inside.has(cellKey({ x: x + 1, y })) ? "" : `M${x * 100 + 100} ${y * 100}v100`,
    inside.has(cellKey({ x, y: y + 1 })) ? "" : `M${x * 100} ${y * 100 + 100}h100`,
    inside.has(cellKey({ x: x - 1, y })) ? "" : `M${x * 100} ${y * 100}v100`,
  ]);
  return (
    <g class={`lit lit-${lit.tone}`} data-lit={[...inside].join(" ")}>
      <path class="lit-rim" d={edges.join("")} />
      <path class="lit-line" d={edges.join("")} />
    </g>
  );
}

// The tile that the game does not accept, as it lies.
function FindingTile({ finding, types }: { finding: Finding; types: TileTypes }) {
  const { tile } = finding;
  if (!tile?.cell) return null;
  const { x, y } = tile.cell;
  return (
    <g class={`finding-tile ${finding.severity === Severity.NOTE ? "is-note" : ""}`} data-finding-tile={`${x},${y}`} transform={`translate(${x * 100} ${y * 100})`}>
      <svg class="tile" width="100" height="100" viewBox="0 0 100 100">
        <TileDrawing type={types.get(tile.tile)} rotation={tile.rotation} variant={variantAt(x, y)} />
      </svg>
      <rect class="finding-hatch" width="100" height="100" fill="url(#hatch)" />
      <g transform="translate(50 50)">
        <circle class="finding-badge" r="15" />
        <path class="finding-sign" d="M0 -8V2M0 7.6V8" />
      </g>
    </g>
  );
}

// Moves the picture: transforms only while it moves, and draws it anew at its
// resting size, so that panning costs no drawing and text stays sharp.
class Pilot {
  camera: Camera = { scale: 1, tx: 0, ty: 0 };
  private drawnScale = 0;
  private size: Size = { width: 0, height: 0 };
  private insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  private bounds: Bounds | undefined;
  private following = true;
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly svg: SVGSVGElement) {}

  resize(size: Size): void {
    const first = this.size.width === 0;
    this.size = size;
    if (this.following) this.fitAll(!first);
    else this.place(kept(this.camera, this.bounds, size), true);
  }

  show(bounds: Bounds | undefined, insets: Insets): void {
    const first = this.bounds === undefined;
    this.bounds = bounds;
    this.insets = insets;
    if (this.following) this.fitAll(!first);
  }

  // By hand.
  steer(camera: Camera, resting: boolean): void {
    this.following = false;
    this.svg.classList.remove("gliding");
    this.place(kept(camera, this.bounds, this.size), false);
    if (resting) this.settleSoon(120);
    else clearTimeout(this.settling);
  }

  zoom(factor: number): void {
    this.following = false;
    this.glide(zoomed(this.camera, factor, { x: this.size.width / 2, y: this.size.height / 2 }));
  }

  follow(): void {
    this.following = true;
    this.fitAll(true);
  }

  // Looks there only if it is not in sight already.
  reveal(part: Bounds | undefined): void {
    if (!part || this.size.width === 0) return;
    const { scale, tx, ty } = this.camera;
    const seen =
      part.left * 100 * scale + tx >= 0 &&
      part.right * 100 * scale + tx <= this.size.width &&
      part.top * 100 * scale + ty >= 0 &&
      part.bottom * 100 * scale + ty <= this.size.height;
    if (seen) return;
    const all = fit(part, this.size, this.insets);
    const middle = { x: this.size.width / 2, y: this.size.height / 2 };
    this.glide(all.scale < scale ? all : zoomed(all, scale / all.scale, middle));
  }

  stop(): void {
    clearTimeout(this.settling);
  }

  private fitAll(smoothly: boolean): void {
    if (this.size.width === 0) return;
    const camera = fit(this.bounds, this.size, this.insets);
    if (smoothly) this.glide(camera);
    else this.place(camera, true);
  }

  private glide(camera: Camera): void {
    this.svg.classList.add("gliding");
    this.place(camera, false);
    this.settleSoon(420);
  }

  private settleSoon(ms: number): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.svg.classList.remove("gliding");
      this.place(this.camera, true);
    }, ms);
  }

  private place(camera: Camera, redraw: boolean): void {
    this.camera = camera;
    if (redraw || this.drawnScale === 0) {
      this.drawnScale = camera.scale;
      this.svg.style.width = this.svg.style.height = `${camera.scale * 100}px`;
    }
    const factor = camera.scale / this.drawnScale;
    this.svg.style.transform = `translate(${camera.tx}px, ${camera.ty}px) scale(${factor})`;
  }
}
