// A PNG with a palette: a third of what the browser's own encoder writes, which knows none. Pure.

export interface Palette {
  readonly colours: readonly (readonly number[])[];
  // One byte a pixel, row by row.
  readonly indices: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export async function pngFile(width: number, height: number, { colours, indices }: Palette): Promise<Uint8Array> {
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  // Eight bits a pixel, by palette.
  header.set([8, 3, 0, 0, 0], 8);
  // Each row begins with its filter: none, as is best for palettes.
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; ++y) rows.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const chunks = [
    chunk("IHDR", header),
    chunk("PLTE", Uint8Array.from(colours.flatMap((colour) => colour.slice(0, 3)))),
    chunk("IDAT", await deflated(rows)),
    chunk("IEND", new Uint8Array(0)),
  ];
  return joined([Uint8Array.from(SIGNATURE), ...chunks]);
}

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  for (let i = 0; i < 4; ++i) bytes[4 + i] = name.charCodeAt(i);
  bytes.set(content, 8);
  view.setUint32(8 + content.length, crc(bytes.subarray(4, 8 + content.length)));
  return bytes;
}

// Of polynomial 0xedb88320, as PNG has it.
const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; ++k) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

function crc(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ TABLE[(sum ^ byte) & 0xff]!;
  return ~sum >>> 0;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
