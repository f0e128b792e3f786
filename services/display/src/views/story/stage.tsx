import type { MutableRef } from "preact/hooks";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { fit, type Camera } from "../../board/camera";
import { Figures, Tiles } from "../../board/pieces";
import { lookOf } from "../../draw/colours";
import { BoardFigure } from "../../draw/figure";
import { memo } from "../../draw/memo";
import { TileDrawing, variantAt } from "../../draw/tile";
import type { TileTypes } from "../../live/use_game";
import type { Bounds } from "../../model/grid";
import type { Part, Pose, Scene, Script } from "../../model/replay";
import type { View } from "../../model/view";
import { signed } from "../words";

const INSETS = { top: 8, right: 8, bottom: 8, left: 8 };

// Puts the parts of the scene that is on the stage where they belong now.
export type Director = (pose: (part: Part) => Pose) => void;

interface Props {
  script: Script;
  // Which scene is played.
  at: number;
  types: TileTypes;
  label: string;
  // Over the board; empty: nothing.
  title: string;
  director: MutableRef<Director>;
  // Something was drawn anew, and knows no place yet.
  onDrawn: () => void;
}

// The film's picture. What lies still is one drawing, made anew once a scene. Whatever moves is a
// layer of its own over it: a frame only changes transforms and opacity, so that the browser draws
// nothing and sixty of them a second are no effort.
export function Stage({ script, at, types, label, title, director, onDrawn }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const sizes = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  const camera = useMemo(() => fit(script.bounds, size, INSETS), [script.bounds, size]);
  const layers = useRef(new Map<string, HTMLElement>());
  const scene = script.scenes[at];
  director.current = (pose) => {
    for (const part of scene?.parts ?? []) {
      const layer = layers.current.get(layerKey(scene!, part));
      if (layer) place(layer, part, pose(part), camera);
    }
  };
  useLayoutEffect(onDrawn);
  // The next scene's parts are there already, unseen: none has to be drawn in the frame that it flies in.
  const near = script.scenes.slice(at, at + 2);
  return (
    <div class="stage" ref={frame} role="img" aria-label={label} data-scene={at}>
      {scene && size.width > 0 && <Ground view={scene.ground} types={types} bounds={script.bounds} camera={camera} />}
      {near.flatMap((one) =>
        one.parts.map((part) => {
          const key = layerKey(one, part);
          return (
            <div
              key={key}
              class={`stage-part stage-${part.kind} ${lookOf(colourOf(part)).className}`}
              style={{ width: `${camera.scale * 100}px`, height: `${camera.scale * 100}px`, fontSize: `${camera.scale * 34}px`, ...(one === scene ? {} : { opacity: 0 }) }}
              ref={(layer) => void (layer ? layers.current.set(key, layer) : layers.current.delete(key))}
            >
              <PartDrawing part={part} types={types} />
            </div>
          );
        }),
      )}
      {title && <p class="stage-title" dir="auto">{title}</p>}
    </div>
  );
}

const layerKey = (scene: Scene, part: Part): string => `${scene.from_ms}/${part.key}`;
const colourOf = (part: Part): string => (part.kind === "tile" ? part.tile.colour : part.kind === "figure" ? part.figure.colour : part.gain.colour);

function place(layer: HTMLElement, { cell }: Part, { dx, dy, scale, turn, opacity }: Pose, camera: Camera): void {
  const x = (cell.x + dx) * 100 * camera.scale + camera.tx;
  const y = (cell.y + dy) * 100 * camera.scale + camera.ty;
  layer.style.transform = `translate3d(${x.toFixed(2)}px, ${y.toFixed(2)}px, 0) rotate(${turn.toFixed(2)}deg) scale(${scale.toFixed(4)})`;
  layer.style.opacity = String(opacity);
}

const Ground = memo(function Ground({ view, types, bounds, camera }: { view: View; types: TileTypes; bounds: Bounds | undefined; camera: Camera }) {
  if (!bounds) return null;
  const { left, top, right, bottom } = bounds;
  const unit = 100 * camera.scale;
  return (
    <svg
      class="stage-ground"
      viewBox={`${left * 100} ${top * 100} ${(right - left) * 100} ${(bottom - top) * 100}`}
      style={{ width: `${(right - left) * unit}px`, height: `${(bottom - top) * unit}px`, transform: `translate(${left * unit + camera.tx}px, ${top * unit + camera.ty}px)` }}
    >
      <Tiles tiles={view.tiles} types={types} newest={undefined} />
      <Figures figures={view.figures} neutral={view.neutral} newest={undefined} />
    </svg>
  );
});

const PartDrawing = memo(function PartDrawing({ part, types }: { part: Part; types: TileTypes }) {
  const { x, y } = part.cell;
  if (part.kind === "gain") return <b>{signed(part.gain.points)}</b>;
  return (
    <svg viewBox={part.kind === "tile" ? "0 0 100 100" : `${x * 100} ${y * 100} 100 100`} class={part.kind === "tile" ? "tile" : ""}>
      {part.kind === "tile" ? (
        <TileDrawing type={types.get(part.tile.tile)} rotation={part.tile.rotation} variant={variantAt(x, y)} />
      ) : (
        <BoardFigure figure={part.figure} isNew={false} />
      )}
    </svg>
  );
});
