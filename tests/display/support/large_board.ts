// A board larger than any box: tiles in a spiral, whatever fits next.
import { cellKey, neighbour, type XY } from "../../../services/display/src/model/grid";
import type { GameClient } from "./players";

export async function growBoard(client: GameClient, gameId: string, tiles: number): Promise<void> {
  const { tileSet } = (await client.getGame({ gameId })).state!;
  const types = (await client.getTileSet({ tileSet })).tiles;
  const start = types.find((type) => type.id === "B.D")!;
  const laid = new Map([[cellKey({ x: 0, y: 0 }), start.edges]]);
  const turned = (edges: string, rotation: number) => [0, 1, 2, 3].map((side) => edges[(side - rotation + 4) % 4]).join("");
  const cells = spiral(tiles * 2);
  // Repeatable, and never the same type over and over.
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  for (const cell of cells) {
    if (laid.size >= tiles) return;
    const fitting = types.flatMap((type) =>
      [0, 1, 2, 3]
        .filter((rotation) => {
          const edges = turned(type.edges, rotation);
          return [0, 1, 2, 3].every((side) => {
            const other = laid.get(cellKey(neighbour(cell, side)));
            return other === undefined || other[(side + 2) % 4] === edges[side];
          });
        })
        .map((rotation) => ({ type, rotation })),
    );
    const choice = fitting[random(Math.max(1, fitting.length))];
    if (!choice) continue;
    const { outcome } = await client.playTurn({
      requestId: `${gameId}-grow-${cellKey(cell)}`,
      gameId,
      turn: { tile: choice.type.id, cell, rotation: choice.rotation },
    });
    if (outcome.case !== "event") throw new Error(`${choice.type.id} on ${cellKey(cell)}: ${outcome.value?.text}`);
    laid.set(cellKey(cell), turned(choice.type.edges, choice.rotation));
  }
}

function spiral(count: number): XY[] {
  const cells: XY[] = [];
  let cell = { x: 0, y: 0 };
  for (let length = 1, side = 1; cells.length < count; ++side) {
    for (let i = 0; i < length; ++i) cells.push((cell = neighbour(cell, side % 4)));
    if (side % 2 === 0) ++length;
  }
  return cells;
}
