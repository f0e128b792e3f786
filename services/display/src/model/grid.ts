// Cells and points, as the contract has them: x east, y south; rotations are
// quarter turns clockwise; points on a tile lie in [0, 1] x [0, 1].

export interface XY {
  readonly x: number;
  readonly y: number;
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const cellKey = (cell: XY | undefined): string => (cell ? `${cell.x},${cell.y}` : "");

export const sameCell = (a: XY | undefined, b: XY | undefined): boolean =>
  a !== undefined && b !== undefined && a.x === b.x && a.y === b.y;

// Where a point of the canonical orientation lies once the tile is turned.
export function rotatedPoint(p: XY, quarterTurns: number): XY {
  switch (quarterTurns & 3) {
    case 1:
      return { x: 1 - p.y, y: p.x };
    case 2:
      return { x: 1 - p.x, y: 1 - p.y };
    case 3:
      return { x: p.y, y: 1 - p.x };
    default:
      return { x: p.x, y: p.y };
  }
}

// Where a point of the tile as it lies is in the canonical orientation.
export const unrotatedPoint = (p: XY, quarterTurns: number): XY =>
  rotatedPoint(p, 4 - (quarterTurns & 3));

// The neighbour across side 0 to 3: north, east, south, west.
export function neighbour(cell: XY, side: number): XY {
  const dx = [0, 1, 0, -1][side & 3] ?? 0;
  const dy = [-1, 0, 1, 0][side & 3] ?? 0;
  return { x: cell.x + dx, y: cell.y + dy };
}

// The smallest rectangle of whole cells; undefined when there are none.
export function boundsOf(cells: Iterable<XY>): Bounds | undefined {
  let bounds: Bounds | undefined;
  for (const { x, y } of cells) {
    bounds = bounds
      ? {
          left: Math.min(bounds.left, x),
          top: Math.min(bounds.top, y),
          right: Math.max(bounds.right, x + 1),
          bottom: Math.max(bounds.bottom, y + 1),
        }
      : { left: x, top: y, right: x + 1, bottom: y + 1 };
  }
  return bounds;
}
