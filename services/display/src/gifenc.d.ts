// The parts of gifenc that the page uses; the package has no types of its own.
declare module "gifenc" {
  interface Frame {
    readonly palette?: number[][];
    // Milliseconds.
    readonly delay?: number;
    readonly repeat?: number;
    readonly dispose?: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
  }
  interface Encoder {
    writeFrame(indices: Uint8Array, width: number, height: number, frame: Frame): void;
    finish(): void;
    bytes(): Uint8Array;
    // Valid until the next frame is written.
    bytesView(): Uint8Array;
  }
  export function GIFEncoder(): Encoder;
  export function quantize(rgba: Uint8Array | Uint8ClampedArray, colours: number): number[][];
  export function applyPalette(rgba: Uint8Array | Uint8ClampedArray, palette: number[][]): Uint8Array;
  export function nearestColorIndex(palette: number[][], colour: readonly number[]): number;
}
