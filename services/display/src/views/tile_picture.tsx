import { useEffect, useState } from "preact/hooks";
import { lying } from "../board/camera_picture";
import { useCamera, useShown, type Shown } from "../live/use_camera";
import type { XY } from "../model/grid";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";

// What the camera saw of a cell, over the drawing of a tile.
export interface PictureUnder {
  readonly shown: Shown | undefined;
  readonly cell: XY;
  // Quarter turns clockwise that the tile lies turned by.
  readonly turns: number;
  // 0: unseen, 1: nothing else is seen.
  readonly share: number;
  set(change: Partial<Pick<PictureUnder, "cell" | "turns" | "share">>): void;
}

// Begins where a tile of this type lies, when one does.
export function usePictureUnder(view: View | undefined, tile: string): PictureUnder {
  const camera = useCamera(view?.gameId ?? "", true);
  const shown = useShown(camera?.boardPicture);
  const [at, setAt] = useState({ cell: { x: 0, y: 0 }, turns: 0, share: 0 });
  const laid = view?.tiles.find((placed) => placed.tile === tile);
  useEffect(() => {
    if (laid) setAt((before) => ({ ...before, cell: { x: laid.cell?.x ?? 0, y: laid.cell?.y ?? 0 }, turns: laid.rotation }));
  }, [laid?.cell?.x, laid?.cell?.y, laid?.rotation]);
  return { shown, ...at, set: (change) => setAt({ ...at, ...change }) };
}

// In the tile's own box of 100 x 100.
export function PictureLayer({ picture: { shown, cell, turns, share } }: { picture: PictureUnder }) {
  if (!shown || share === 0) return null;
  const { width, height, transform } = lying(shown.picture);
  return (
    <g transform={`rotate(${-90 * turns} 50 50)`} opacity={share} class="tile-photo">
      <svg width="100" height="100" viewBox={`${cell.x * 100} ${cell.y * 100} 100 100`}>
        <image href={shown.address} width={width} height={height} transform={transform} preserveAspectRatio="none" />
      </svg>
    </g>
  );
}

const MOVES = [
  { name: "side.north", by: { x: 0, y: -1 }, d: "M0 6V-6M-5 -1L0 -6L5 -1" },
  { name: "side.east", by: { x: 1, y: 0 }, d: "M-6 0H6M1 -5L6 0L1 5" },
  { name: "side.south", by: { x: 0, y: 1 }, d: "M0 -6V6M-5 1L0 6L5 1" },
  { name: "side.west", by: { x: -1, y: 0 }, d: "M6 0H-6M-1 -5L-6 0L-1 5" },
] as const;

// How much of the picture is seen, and of which place on the table.
export function TilePicture({ picture }: { picture: PictureUnder }) {
  const texts = useTexts();
  const { shown, cell, turns, share, set } = picture;
  if (!shown) return null;
  const { northWest, columns, rows } = shown.picture;
  const within = ({ x, y }: XY) => x >= (northWest?.x ?? 0) && y >= (northWest?.y ?? 0) && x < (northWest?.x ?? 0) + columns && y < (northWest?.y ?? 0) + rows;
  return (
    <div class="tile-picture" role="group" aria-label={texts.say("camera.blend")}>
      <label class="picture-share">
        <span>{texts.say("tiles.picture.drawing")}</span>
        <input type="range" min={0} max={100} value={share * 100} aria-label={texts.say("camera.blend")} onInput={(e) => set({ share: Number(e.currentTarget.value) / 100 })} />
        <span>{texts.say("camera.blend.camera")}</span>
      </label>
      <div class="picture-moves">
        {MOVES.map(({ name, by, d }) => {
          const to = { x: cell.x + by.x, y: cell.y + by.y };
          const label = texts.say("tiles.picture.move", { side: texts.say(name) });
          return (
            <button key={name} type="button" class="icon-button" disabled={!within(to)} aria-label={label} title={label} onClick={() => set({ cell: to, share: share || 0.5 })}>
              <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true"><path d={d} /></svg>
            </button>
          );
        })}
        <button type="button" class="icon-button" aria-label={texts.say("tiles.picture.turn")} title={texts.say("tiles.picture.turn")} onClick={() => set({ turns: (turns + 1) % 4, share: share || 0.5 })}>
          <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true"><path d="M5 -4A6.5 6.5 0 1 0 6.5 2M6 -8V-3.5H1.5" /></svg>
        </button>
      </div>
    </div>
  );
}
