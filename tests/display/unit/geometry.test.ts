import { describe, expect, it } from "vitest";
import { fit, kept, panned, pinched, toWorld, zoomed, MAX_SCALE } from "../../../services/display/src/board/camera";
import { along, distanceToLine, innerRuns, inside, randomFrom } from "../../../services/display/src/draw/shapes";
import { drawTile } from "../../../services/display/src/draw/tile_art";
import { boundsOf, rotatedPoint, unrotatedPoint } from "../../../services/display/src/model/grid";
import { startTile } from "./make";

describe("turning points", () => {
  it("turns clockwise, y down", () => {
    expect(rotatedPoint({ x: 0.5, y: 0 }, 1)).toEqual({ x: 1, y: 0.5 });
    expect(rotatedPoint({ x: 1, y: 0.5 }, 1)).toEqual({ x: 0.5, y: 1 });
  });
  it("turns back", () => {
    const p = { x: 0.2, y: 0.7 };
    for (let turns = 0; turns < 4; ++turns) {
      const q = unrotatedPoint(rotatedPoint(p, turns), turns);
      expect(q.x).toBeCloseTo(p.x);
      expect(q.y).toBeCloseTo(p.y);
    }
  });
});

describe("bounds", () => {
  it("hold whole cells, negative ones too", () => {
    expect(boundsOf([{ x: -2, y: 1 }, { x: 0, y: 0 }])).toEqual({ left: -2, top: 0, right: 1, bottom: 2 });
    expect(boundsOf([])).toBeUndefined();
  });
});

describe("the camera", () => {
  const size = { width: 800, height: 600 };
  const insets = { top: 100, right: 0, bottom: 0, left: 0 };
  const bounds = { left: -3, top: -2, right: 4, bottom: 3 };

  it("fits the whole board into the room that is left", () => {
    const camera = fit(bounds, size, insets);
    for (const [x, y] of [[-3, -2], [4, 3]] as const) {
      const px = x * 100 * camera.scale + camera.tx;
      const py = y * 100 * camera.scale + camera.ty;
      expect(px).toBeGreaterThanOrEqual(0);
      expect(px).toBeLessThanOrEqual(size.width);
      expect(py).toBeGreaterThanOrEqual(insets.top);
      expect(py).toBeLessThanOrEqual(size.height);
    }
  });
  it("keeps the point under the finger while zooming, also at the limit", () => {
    const camera = { scale: 1, tx: 30, ty: -20 };
    const at = { x: 200, y: 150 };
    for (const factor of [0.5, 1.7, 100]) {
      const after = zoomed(camera, factor, at);
      expect(after.scale).toBeLessThanOrEqual(MAX_SCALE);
      expect(toWorld(after, at).x).toBeCloseTo(toWorld(camera, at).x);
      expect(toWorld(after, at).y).toBeCloseTo(toWorld(camera, at).y);
    }
  });
  it("pinches around both fingers", () => {
    const camera = { scale: 1, tx: 0, ty: 0 };
    const from = [{ x: 100, y: 100 }, { x: 200, y: 100 }] as const;
    const to = [{ x: 50, y: 120 }, { x: 250, y: 120 }] as const;
    const after = pinched(camera, from, to);
    expect(after.scale).toBeCloseTo(2);
    for (const i of [0, 1] as const) {
      expect(toWorld(after, to[i]).x).toBeCloseTo(from[i].x);
      expect(toWorld(after, to[i]).y).toBeCloseTo(from[i].y);
    }
  });
  it("never loses the board", () => {
    const camera = kept(panned(fit(bounds, size, insets), 99_999, -99_999), bounds, size);
    expect(bounds.left * 100 * camera.scale + camera.tx).toBeLessThan(size.width);
    expect(bounds.bottom * 100 * camera.scale + camera.ty).toBeGreaterThan(0);
  });
});

describe("shapes", () => {
  const square = [{ x: 0, y: 0 }, { x: 100, y: 0 }, { x: 100, y: 40 }, { x: 0, y: 40 }];
  it("tells inside from outside", () => {
    expect(inside(square, { x: 50, y: 20 })).toBe(true);
    expect(inside(square, { x: 50, y: 60 })).toBe(false);
  });
  it("puts walls only where an outline leaves the tile's border", () => {
    const runs = innerRuns([{ x: 0, y: 0 }, { x: 100, y: 0 }, { x: 50, y: 30 }]);
    expect(runs).toEqual([[{ x: 100, y: 0 }, { x: 50, y: 30 }, { x: 0, y: 0 }]]);
    expect(innerRuns([{ x: 0, y: 0 }, { x: 100, y: 0 }, { x: 100, y: 100 }, { x: 0, y: 100 }])).toEqual([]);
  });
  it("walks along a line", () => {
    const line = [{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 30 }];
    expect(along(line, 0.5).at).toEqual({ x: 10, y: 10 });
    expect(distanceToLine(line, { x: 14, y: 20 })).toBeCloseTo(4);
  });
  it("draws chance the same way every time", () => {
    const draw = (seed: number) => Array.from({ length: 5 }, randomFrom(seed));
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
    expect(draw(9).every((v) => v >= 0 && v < 1)).toBe(true);
  });
});

describe("a drawn tile", () => {
  it("is the same for the same seed and stays in its box", () => {
    for (let rotation = 0; rotation < 4; ++rotation) {
      const drawing = drawTile(startTile(), rotation, 5);
      expect(drawing).toEqual(drawTile(startTile(), rotation, 5));
      const moves = drawing.flatMap(({ d }) => [...d.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)]);
      for (const [, x, y] of moves) {
        expect(Number(x)).toBeGreaterThan(-20);
        expect(Number(x)).toBeLessThan(120);
        expect(Number(y)).toBeGreaterThan(-20);
        expect(Number(y)).toBeLessThan(120);
      }
    }
  });
  it("has a road, a walled city and its coat of arms", () => {
    const classes = drawTile(startTile(), 0, 1).map(({ className }) => className);
    for (const name of ["field", "road", "city", "wall", "arms-field"]) expect(classes).toContain(name);
  });
  it("turns the road with the tile", () => {
    const road = (rotation: number) => drawTile(startTile(), rotation, 1).find(({ className }) => className === "road")?.d;
    expect(road(0)).toBe("M100 50L50 50L0 50");
    expect(road(1)).toBe("M50 100L50 50L50 0");
  });
});
