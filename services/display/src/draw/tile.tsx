import { memo } from "./memo";
import type { TileType } from "../gen/tilewarden/v1/game_pb";
import type { Stroke } from "./sheet";
import { drawTile } from "./tile_art";

// Two types of one name may differ: by game, and while one is drawn.
const drawings = new WeakMap<TileType, Map<string, readonly Stroke[]>>();

// Cells far apart may look alike, neighbours do not.
const VARIANTS = 12;

export const variantAt = (x: number, y: number): number =>
  (((x * 7 + y * 5) % VARIANTS) + VARIANTS) % VARIANTS;

function drawingOf(type: TileType, rotation: number, variant: number): readonly Stroke[] {
  const shelf = drawings.get(type) ?? new Map<string, readonly Stroke[]>();
  drawings.set(type, shelf);
  const key = `${rotation & 3}/${variant}`;
  let drawing = shelf.get(key);
  if (!drawing) {
    let seed = variant + 1;
    for (const letter of type.id) seed = (seed * 31 + letter.charCodeAt(0)) | 0;
    drawing = drawTile(type, rotation, seed);
    shelf.set(key, drawing);
  }
  return drawing;
}

interface Props {
  // Unknown until the tile set has been read.
  type: TileType | undefined;
  rotation: number;
  variant: number;
}

// One tile in a box of 100 x 100.
export const TileDrawing = memo(function TileDrawing({ type, rotation, variant }: Props) {
  return (
    <>
      {type ? (
        drawingOf(type, rotation, variant).map((stroke, i) => (
          <path key={i} class={stroke.className} d={stroke.d} />
        ))
      ) : (
        <path class="field" d="M0 0h100v100h-100Z" />
      )}
      <path class="tile-line" d="M0.5 0.5h99v99h-99Z" />
    </>
  );
});
