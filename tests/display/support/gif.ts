// Reads an animated GIF again, as a player would: a second opinion on what the page writes.
export interface GifFrame {
  readonly delay_ms: number;
  // The box that it changes.
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  // The whole picture from then on, 0xRRGGBB by pixel.
  readonly picture: Uint32Array;
}

export interface GifFile {
  readonly width: number;
  readonly height: number;
  readonly loops: boolean;
  readonly frames: readonly GifFrame[];
}

// `last`: every frame has the picture of the last one, which is faster for a long film.
export function readGif(bytes: Uint8Array, pictures: "each" | "last" = "each"): GifFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = (from: number, length: number) => String.fromCharCode(...bytes.subarray(from, from + length));
  if (text(0, 6) !== "GIF89a") throw new Error("no GIF");
  const width = view.getUint16(6, true);
  const height = view.getUint16(8, true);
  const flags = bytes[10]!;
  let at = 13;
  const table = at;
  if (flags & 0x80) at += 3 * (1 << ((flags & 7) + 1));
  const frames: GifFrame[] = [];
  let picture = new Uint32Array(width * height);
  let loops = false;
  let delay_ms = 0;
  let seeThrough = -1;
  for (;;) {
    const kind = bytes[at++];
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      const label = bytes[at++];
      if (label === 0xf9) {
        seeThrough = bytes[at + 1]! & 1 ? bytes[at + 4]! : -1;
        delay_ms = view.getUint16(at + 2, true) * 10;
      } else if (label === 0xff) loops = text(at + 1, 11) === "NETSCAPE2.0";
      while (bytes[at] !== 0) at += bytes[at]! + 1;
      ++at;
    } else if (kind === 0x2c) {
      const [x, y, w, h] = [0, 2, 4, 6].map((offset) => view.getUint16(at + offset, true)) as [number, number, number, number];
      if (bytes[at + 8]! & 0x80) throw new Error("a table of its own");
      at += 9;
      const least = bytes[at++]!;
      const packed: number[] = [];
      while (bytes[at] !== 0) {
        packed.push(...bytes.subarray(at + 1, at + 1 + bytes[at]!));
        at += bytes[at]! + 1;
      }
      ++at;
      if (x + w > width || y + h > height) throw new Error("a frame outside the picture");
      if (pictures === "each") picture = picture.slice();
      unpacked(packed, least, w * h).forEach((index, i) => {
        const colour = table + 3 * index;
        if (index !== seeThrough) picture[(y + Math.floor(i / w)) * width + x + (i % w)] = (bytes[colour]! << 16) | (bytes[colour + 1]! << 8) | bytes[colour + 2]!;
      });
      frames.push({ delay_ms, box: { x, y, width: w, height: h }, picture });
    } else throw new Error(`no GIF from ${at - 1}`);
  }
  return { width, height, loops, frames };
}

// LZW as GIF has it.
function unpacked(packed: readonly number[], least: number, count: number): number[] {
  const clear = 1 << least;
  const indices: number[] = [];
  let words: number[][] = [];
  let bits = 0;
  const restart = () => {
    words = Array.from({ length: clear + 2 }, (_, i) => [i]);
    bits = least + 1;
  };
  restart();
  let before: number[] | undefined;
  let have = 0;
  let window = 0;
  for (const byte of packed) {
    window |= byte << have;
    have += 8;
    while (have >= bits) {
      const code = window & ((1 << bits) - 1);
      window >>>= bits;
      have -= bits;
      if (code === clear) {
        restart();
        before = undefined;
        continue;
      }
      if (code === clear + 1) {
        if (indices.length !== count) throw new Error(`${indices.length} pixels in place of ${count}`);
        return indices;
      }
      const word: number[] = words[code] ?? [...before!, before![0]!];
      indices.push(...word);
      if (before && words.length < 4096) words.push([...before, word[0]!]);
      if (words.length === 1 << bits && bits < 12) ++bits;
      before = word;
    }
  }
  throw new Error("a frame without an end");
}
