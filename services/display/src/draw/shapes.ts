// Plain plane geometry for drawing: outlines and lines of points in tile
// coordinates 0 to 100. Pure.
import type { XY } from "../model/grid";

// A repeatable stream of numbers in [0, 1): the same tile always looks the same.
export function randomFrom(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const distance = (a: XY, b: XY): number => Math.hypot(a.x - b.x, a.y - b.y);

export function inside(outline: readonly XY[], p: XY): boolean {
  let within = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const a = outline[i]!;
    const b = outline[j]!;
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) {
      within = !within;
    }
  }
  return within;
}

export function distanceToLine(line: readonly XY[], p: XY): number {
  let best = Infinity;
  for (let i = 0; i + 1 < line.length; ++i) {
    const a = line[i]!;
    const b = line[i + 1]!;
    const length2 = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
    const along = length2 > 0 ? ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length2 : 0;
    const t = Math.min(1, Math.max(0, along));
    best = Math.min(best, distance(p, { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t }));
  }
  return best;
}

export const distanceToOutline = (outline: readonly XY[], p: XY): number =>
  outline.length > 0 ? distanceToLine([...outline, outline[0]!], p) : Infinity;

export function centreOf(points: readonly XY[]): XY {
  const sum = points.reduce((s, p) => ({ x: s.x + p.x, y: s.y + p.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

// The point this share of the way along a line, and the unit direction there.
export function along(line: readonly XY[], share: number): { at: XY; towards: XY } {
  const lengths = line.slice(1).map((p, i) => distance(line[i]!, p));
  let rest = share * lengths.reduce((a, b) => a + b, 0);
  for (let i = 0; i < lengths.length; ++i) {
    const length = lengths[i]!;
    if (rest <= length || i === lengths.length - 1) {
      const a = line[i]!;
      const b = line[i + 1]!;
      const t = length > 0 ? rest / length : 0;
      const towards = length > 0 ? { x: (b.x - a.x) / length, y: (b.y - a.y) / length } : { x: 1, y: 0 };
      return { at: { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t }, towards };
    }
    rest -= length;
  }
  return { at: line[0] ?? { x: 0, y: 0 }, towards: { x: 1, y: 0 } };
}

export const lengthOf = (line: readonly XY[]): number =>
  line.slice(1).reduce((sum, p, i) => sum + distance(line[i]!, p), 0);

// The runs of an outline that do not lie on the tile's border: where walls stand.
export function innerRuns(outline: readonly XY[]): XY[][] {
  const onBorder = (a: XY, b: XY) =>
    [0, 100].some(
      (v) =>
        (Math.abs(a.x - v) < 0.5 && Math.abs(b.x - v) < 0.5) ||
        (Math.abs(a.y - v) < 0.5 && Math.abs(b.y - v) < 0.5),
    );
  const points = outline.filter((p, i) => i === 0 || distance(p, outline[i - 1]!) > 0.01);
  const n = points.length;
  if (n < 2) return [];
  const border = points.map((p, i) => onBorder(p, points[(i + 1) % n]!) || distance(p, points[(i + 1) % n]!) < 0.01);
  const start = border.findIndex((b) => b);
  if (start < 0) return [[...points, points[0]!]];
  const runs: XY[][] = [];
  let run: XY[] = [];
  for (let k = 1; k <= n; ++k) {
    const i = (start + k) % n;
    if (border[i]) {
      if (run.length > 0) runs.push([...run, points[i]!]);
      run = [];
    } else {
      run.push(points[i]!);
    }
  }
  return runs.filter((r) => r.length > 1);
}

const round = (v: number): number => Math.round(v * 10) / 10;

export const lineD = (line: readonly XY[]): string =>
  line.map((p, i) => `${i === 0 ? "M" : "L"}${round(p.x)} ${round(p.y)}`).join("");

export const outlineD = (outline: readonly XY[]): string => `${lineD(outline)}Z`;

export const polygonD = (...coordinates: number[]): string => {
  const points: XY[] = [];
  for (let i = 0; i + 1 < coordinates.length; i += 2) {
    points.push({ x: coordinates[i]!, y: coordinates[i + 1]! });
  }
  return outlineD(points);
};

export const rectD = (x: number, y: number, width: number, height: number): string =>
  `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`;

export const circleD = (x: number, y: number, r: number): string => ellipseD(x, y, r, r);

export const ellipseD = (x: number, y: number, rx: number, ry: number): string =>
  `M${round(x - rx)} ${round(y)}a${round(rx)} ${round(ry)} 0 1 0 ${round(2 * rx)} 0a${round(rx)} ${round(ry)} 0 1 0 ${round(-2 * rx)} 0Z`;
