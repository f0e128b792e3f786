// A film as an animated GIF: each frame holds only what differs from the one before. Pure; the
// packing itself is gifenc's.
import { GIFEncoder, nearestColorIndex, quantize } from "gifenc";

type Colour = number[];

// Of 256: the last one says "as before".
const COLOURS = 255;
const AS_BEFORE = 255;
// Of a frame's record, up to its place: gifenc always writes 0, 0.
const PLACE_AT = 9;

// The colours of a picture that has everything that the film shows.
export const paletteOf = (rgba: Uint8ClampedArray): Colour[] => quantize(rgba, COLOURS);

export class Gif {
  private readonly encoder = GIFEncoder();
  private readonly palette: Colour[];
  // Of the palette, by 16 bits of the colour.
  private readonly nearest = new Int16Array(1 << 16).fill(-1);
  private shown: Uint32Array | undefined;

  constructor(
    private readonly width: number,
    private readonly height: number,
    palette: readonly Colour[],
  ) {
    this.palette = [...palette];
  }

  get size(): number {
    return this.encoder.bytesView().length;
  }

  // The whole picture as it is now, for so long.
  add(rgba: Uint8ClampedArray, shown_ms: number): void {
    const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, this.width * this.height);
    const before = this.shown;
    this.shown = pixels;
    if (!before) {
      const table = [...this.palette];
      while (table.length <= AS_BEFORE) table.push([0, 0, 0]);
      this.encoder.writeFrame(Uint8Array.from(pixels, (pixel) => this.indexOf(pixel)), this.width, this.height, { palette: table, delay: shown_ms, dispose: 1, repeat: 0 });
      return;
    }
    const box = this.changed(before, pixels);
    const indices = new Uint8Array(box.width * box.height);
    for (let y = 0, i = 0; y < box.height; ++y) {
      for (let x = 0, from = (box.y + y) * this.width + box.x; x < box.width; ++x, ++from, ++i) {
        indices[i] = pixels[from] === before[from] ? AS_BEFORE : this.indexOf(pixels[from]!);
      }
    }
    const at = this.size;
    this.encoder.writeFrame(indices, box.width, box.height, { delay: shown_ms, dispose: 1, transparent: true, transparentIndex: AS_BEFORE });
    const record = this.encoder.bytesView().subarray(at + PLACE_AT);
    record.set([box.x & 255, box.x >> 8, box.y & 255, box.y >> 8]);
  }

  done(): Uint8Array {
    this.encoder.finish();
    return this.encoder.bytes();
  }

  // The smallest box around everything that differs; one pixel when nothing does.
  private changed(before: Uint32Array, now: Uint32Array): { x: number; y: number; width: number; height: number } {
    let [left, top, right, bottom] = [this.width, -1, -1, -1];
    for (let y = 0; y < this.height; ++y) {
      const row = y * this.width;
      let x = 0;
      while (x < this.width && before[row + x] === now[row + x]) ++x;
      if (x === this.width) continue;
      if (top < 0) top = y;
      bottom = y;
      left = Math.min(left, x);
      x = this.width - 1;
      while (before[row + x] === now[row + x]) --x;
      right = Math.max(right, x);
    }
    return top < 0 ? { x: 0, y: 0, width: 1, height: 1 } : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  }

  private indexOf(pixel: number): number {
    const [r, g, b] = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
    const key = ((r >> 3) << 11) | ((g >> 2) << 5) | (b >> 3);
    const known = this.nearest[key]!;
    return known >= 0 ? known : (this.nearest[key] = nearestColorIndex(this.palette, [r, g, b]));
  }
}
