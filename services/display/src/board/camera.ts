// Where the viewer looks: world coordinates are 100 to a cell; on the screen
// x_px = x_world * scale + tx. Pure.
import type { Bounds, XY } from "../model/grid";

export interface Camera {
  readonly scale: number;
  readonly tx: number;
  readonly ty: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

// What lies over the board's edges (banner, buttons), in pixels.
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export const MIN_SCALE = 0.12;
export const MAX_SCALE = 4;
// Fitting never makes a tile larger than this, so that the first ones do not look huge.
const MAX_FIT_SCALE = 1.9;
const MARGIN = 45;

export const clampScale = (scale: number): number => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));

// The whole board, as large as it can be.
export function fit(bounds: Bounds | undefined, size: Size, insets: Insets): Camera {
  const { left, top, right, bottom } = bounds ?? { left: 0, top: 0, right: 1, bottom: 1 };
  const width = (right - left) * 100 + 2 * MARGIN;
  const height = (bottom - top) * 100 + 2 * MARGIN;
  const room = {
    width: Math.max(60, size.width - insets.left - insets.right),
    height: Math.max(60, size.height - insets.top - insets.bottom),
  };
  const scale = clampScale(Math.min(MAX_FIT_SCALE, room.width / width, room.height / height));
  return {
    scale,
    tx: insets.left + room.width / 2 - ((left + right) / 2) * 100 * scale,
    ty: insets.top + room.height / 2 - ((top + bottom) / 2) * 100 * scale,
  };
}

export const toWorld = (camera: Camera, p: XY): XY => ({
  x: (p.x - camera.tx) / camera.scale,
  y: (p.y - camera.ty) / camera.scale,
});

export const panned = (camera: Camera, dx: number, dy: number): Camera => ({
  scale: camera.scale,
  tx: camera.tx + dx,
  ty: camera.ty + dy,
});

// Larger or smaller, while the point on the screen stays where it is.
export function zoomed(camera: Camera, factor: number, at: XY): Camera {
  const scale = clampScale(camera.scale * factor);
  const world = toWorld(camera, at);
  return { scale, tx: at.x - world.x * scale, ty: at.y - world.y * scale };
}

// Two fingers from one pair of places to another.
export function pinched(camera: Camera, from: readonly [XY, XY], to: readonly [XY, XY]): Camera {
  const middle = ([a, b]: readonly [XY, XY]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const spread = ([a, b]: readonly [XY, XY]) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  const before = middle(from);
  const after = middle(to);
  return zoomed(panned(camera, after.x - before.x, after.y - before.y), spread(to) / spread(from), after);
}

// Some of the board stays in sight, however far somebody throws it.
export function kept(camera: Camera, bounds: Bounds | undefined, size: Size): Camera {
  if (!bounds) return camera;
  const edge = 80;
  const within = (t: number, from: number, to: number, length: number) =>
    Math.min(length - edge - from * 100 * camera.scale, Math.max(edge - to * 100 * camera.scale, t));
  return {
    scale: camera.scale,
    tx: within(camera.tx, bounds.left, bounds.right, size.width),
    ty: within(camera.ty, bounds.top, bounds.bottom, size.height),
  };
}
