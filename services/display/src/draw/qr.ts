// A QR code (ISO/IEC 18004) of a short text: byte mode, error correction level
// L, versions 1 to 5, mask 0. Pure.

// By version: side, data codewords, error correction codewords (one block each).
const VERSIONS = [
  { side: 21, data: 19, check: 7 },
  { side: 25, data: 34, check: 10 },
  { side: 29, data: 55, check: 15 },
  { side: 33, data: 80, check: 20 },
  { side: 37, data: 108, check: 26 },
] as const;

// Rows of dark (true) and light modules; undefined: the text is too long.
export function qrOf(text: string): boolean[][] | undefined {
  const bytes = [...new TextEncoder().encode(text)];
  // Four bits of mode, eight of length.
  const version = VERSIONS.find(({ data }) => bytes.length + 2 <= data);
  if (!version) return undefined;
  const data = dataWords(bytes, version.data);
  return place([...data, ...checkWords(data, version.check)], version.side);
}

function dataWords(bytes: readonly number[], room: number): number[] {
  const bits = [0, 1, 0, 0];
  const push = (value: number) => {
    for (let i = 7; i >= 0; --i) bits.push((value >> i) & 1);
  };
  push(bytes.length);
  bytes.forEach(push);
  bits.push(0, 0, 0, 0);
  const words: number[] = [];
  for (let i = 0; i + 8 <= bits.length; i += 8) words.push(bits.slice(i, i + 8).reduce((word, bit) => word * 2 + bit, 0));
  for (let i = 0; words.length < room; ++i) words.push(i % 2 ? 0x11 : 0xec);
  return words.slice(0, room);
}

// Reed and Solomon over GF(256), polynomial 0x11d.
function checkWords(data: readonly number[], count: number): number[] {
  let generator = [1];
  for (let i = 0, root = 1; i < count; ++i, root = times(root, 2)) {
    const next = [...generator, 0];
    generator.forEach((factor, k) => (next[k + 1] = (next[k + 1] ?? 0) ^ times(factor, root)));
    generator = next;
  }
  const rest = [...data, ...new Array<number>(count).fill(0)];
  data.forEach((_, i) => {
    const lead = rest[i] ?? 0;
    generator.forEach((factor, k) => (rest[i + k] = (rest[i + k] ?? 0) ^ times(factor, lead)));
  });
  return rest.slice(data.length);
}

function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; --i) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

function place(words: readonly number[], side: number): boolean[][] {
  const cells = Array.from({ length: side }, () => new Array<boolean | undefined>(side).fill(undefined));
  const set = (x: number, y: number, dark: boolean) => {
    const row = cells[y];
    if (row && x >= 0 && x < side) row[x] = dark;
  };
  for (const [cx, cy] of [[3, 3], [side - 4, 3], [3, side - 4]] as const) {
    for (let dy = -4; dy <= 4; ++dy) {
      for (let dx = -4; dx <= 4; ++dx) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  for (let i = 8; i < side - 8; ++i) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  if (side > 21) {
    for (let dy = -2; dy <= 2; ++dy) {
      for (let dx = -2; dx <= 2; ++dx) set(side - 7 + dx, side - 7 + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  }
  // Level L, mask 0, with their own error correction: 0x77c4.
  for (let i = 0; i < 15; ++i) {
    const dark = ((0x77c4 >> i) & 1) === 1;
    set(8, i < 6 ? i : i < 8 ? i + 1 : side - 15 + i, dark);
    set(i < 8 ? side - 1 - i : i < 9 ? 7 : 14 - i, 8, dark);
  }
  set(8, side - 8, true);
  // In columns of two, up and down, from the right; past the timing column.
  let bit = 0;
  for (let right = side - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let k = 0; k < side; ++k) {
      const y = up ? side - 1 - k : k;
      for (const x of [right, right - 1]) {
        if (cells[y]?.[x] !== undefined) continue;
        const word = words[bit >> 3] ?? 0;
        const dark = ((word >> (7 - (bit & 7))) & 1) === 1;
        set(x, y, dark !== ((x + y) % 2 === 0));
        ++bit;
      }
    }
  }
  return cells.map((row) => row.map((dark) => dark === true));
}
