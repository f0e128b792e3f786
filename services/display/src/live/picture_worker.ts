// Makes files of pixels, away from the page: it stays alive however long that takes.
import { applyPalette, quantize } from "gifenc";
import { Gif, paletteOf } from "../model/gif";
import { pngFile } from "../model/png";

export type Asked =
  | { readonly kind: "png"; readonly width: number; readonly height: number; readonly pixels: ArrayBuffer; readonly most_bytes: number }
  // A film: a picture with all of its colours first, then frame by frame.
  | { readonly kind: "film"; readonly width: number; readonly height: number; readonly pixels: ArrayBuffer }
  | { readonly kind: "frame"; readonly pixels: ArrayBuffer; readonly shown_ms: number }
  | { readonly kind: "end" };
// The file so far.
export interface Told {
  readonly bytes: number;
  readonly file?: Uint8Array;
}

// With fewer colours a picture is smaller.
const COLOURS = [256, 128, 64, 32];

let gif: Gif | undefined;

async function answer(asked: Asked): Promise<Told> {
  switch (asked.kind) {
    case "png": {
      const { width, height, most_bytes } = asked;
      const rgba = new Uint8ClampedArray(asked.pixels);
      let file = new Uint8Array(0);
      for (const count of COLOURS) {
        const colours = quantize(rgba, count);
        file = new Uint8Array(await pngFile(width, height, { colours, indices: applyPalette(rgba, colours) }));
        if (file.length <= most_bytes) break;
      }
      return { bytes: file.length, file };
    }
    case "film":
      gif = new Gif(asked.width, asked.height, paletteOf(new Uint8ClampedArray(asked.pixels)));
      return { bytes: 0 };
    case "frame":
      gif?.add(new Uint8ClampedArray(asked.pixels), asked.shown_ms);
      return { bytes: gif?.size ?? 0 };
    case "end": {
      const file = gif?.done() ?? new Uint8Array(0);
      return { bytes: file.length, file };
    }
  }
}

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
  answer(data).then(
    (told) => postMessage(told),
    // Rethrown where the page hears it.
    (problem: unknown) => setTimeout(() => { throw problem; }),
  );
});
