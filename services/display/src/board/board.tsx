import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Sign } from "../draw/sign";
import type { TileTypes } from "../live/use_game";
import { boundsOf, type Bounds, type XY } from "../model/grid";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { toWorld, type Insets } from "./camera";
import { CameraLayer, type CameraPicture } from "./camera_picture";
import { attachGestures } from "./gestures";
import { FedPoints, FindingTile, Glow, LastMove, LitCells, Places, Veil, type Lit, type Place } from "./marks";
import { Figures, Tiles } from "./pieces";
import { Pilot } from "./pilot";

interface Props {
  view: View;
  types: TileTypes;
  lit: Lit | undefined;
  places?: readonly Place[];
  insets: Insets;
  onTap?: (cell: XY, point: XY) => void;
  controls?: boolean;
  // What the camera saw, over the tiles and figures.
  camera?: CameraPicture | undefined;
  children?: ComponentChildren;
}

const NO_PLACES: readonly Place[] = [];

// The board, drawn from the game: looks after pan and zoom by itself and follows
// the game until somebody moves it by hand.
export function Board({ view, types, lit, places = NO_PLACES, insets, onTap, controls = true, camera, children }: Props) {
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const world = useRef<SVGSVGElement>(null);
  const bounds = useMemo(() => boardBounds(view, places), [view.tiles, view.findings, places]);
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
        {/* A glowing feature lies under the figures, lit cells show them too. */}
        {lit?.glow !== undefined && <Glow lit={lit} />}
        <Figures figures={view.figures} neutral={view.neutral} newest={view.last?.tile} />
        {camera && <CameraLayer picture={camera} />}
        <Veil lit={lit} />
        {view.findings.map((finding) => (
          <FindingTile key={finding.id} finding={finding} types={types} />
        ))}
        <LitCells lit={lit} />
        <FedPoints lit={lit} />
        <Places places={places} />
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

function boardBounds(view: View, places: readonly Place[]): Bounds | undefined {
  const cells: XY[] = view.tiles.flatMap((tile) => tile.cell ?? []);
  for (const finding of view.findings) cells.push(...finding.cells, ...(finding.tile?.cell ? [finding.tile.cell] : []));
  for (const place of places) cells.push(place.cell);
  return boundsOf(cells);
}
