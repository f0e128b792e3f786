// A camera that sees the table perfectly: sightings made from a game's state,
// with something more or less lying there.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { GameState, TileType } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { SightingSchema } from "../../../services/display/src/gen/tilewarden/v1/vision_pb";
import { cellKey, neighbour, type XY } from "../../../services/display/src/model/grid";
import { FigureKind, Pose } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import type { Painter } from "./painter";
import type { GameClient, sightingClient } from "./players";

export interface Extra {
  readonly tile: string;
  readonly cell: XY;
  readonly rotation: number;
  // A follower that is set on it when it is laid: its colour, where its foot is, and the kind that it
  // clearly is though the camera was not told to expect any.
  readonly follower?: { readonly colour: string; readonly spot: { readonly x: number; readonly y: number }; readonly unexpected?: FigureKind };
}

const STILL_LOOKS = 4;

const figureAt = (cell: XY, foot: XY, colour: string, kind = FigureKind.FOLLOWER, pose = Pose.STANDING, unexpected?: FigureKind) => ({
  cell,
  foot,
  footSigma: 0.04,
  kind,
  colours: [{ colour, probability: 0.999 }],
  standingProbability: pose === Pose.LYING ? 0.02 : 0.98,
  probability: 0.98,
  ...(unexpected && { unexpected: { kind: unexpected, probability: 0.99 } }),
});

export class Camera {
  private sequence = 0n;
  private readonly session = `session-${Math.random()}`;

  constructor(
    private readonly client: ReturnType<typeof sightingClient>,
    private readonly gameId: string,
    // Sends pictures, too: with the last of the still looks.
    private readonly painter?: Painter,
  ) {}

  // A hand comes (and comes back: `visits`) and goes; then the table lies still
  // for a few looks, until it is believed.
  async see(state: GameState, extra?: Extra, visits = 1): Promise<void> {
    const sightings: MessageInitShape<typeof SightingSchema>[] = [];
    const lying: Extra[] = [...state.tiles.map((t) => ({ tile: t.tile, cell: t.cell!, rotation: t.rotation })), ...(extra ? [extra] : [])];
    const picture = await this.painter?.paint(lying);
    for (let i = 0; i < visits + STILL_LOOKS; ++i) {
      const hand = i < visits;
      this.sequence += 1n;
      sightings.push({
        sequence: this.sequence,
        timeMs: this.sequence * 500n,
        settled: !hand,
        hand,
        hiddenCells: hand && extra ? [extra.cell] : [],
        ...(picture && i === visits + STILL_LOOKS - 1 && { topView: picture }),
        tiles: lying.filter((t) => !hand || t !== extra).map((t) => ({
          cell: { x: t.cell.x, y: t.cell.y },
          candidates: [{ tile: t.tile, rotation: t.rotation, probability: 0.999 }],
        })),
        figures: [
          ...state.figures.map((f) => figureAt(f.cell!, f.spot!, f.colour, f.kind, f.pose)),
          ...(!hand && extra?.follower ? [figureAt(extra.cell, extra.follower.spot, extra.follower.colour, FigureKind.FOLLOWER, Pose.STANDING, extra.follower.unexpected)] : []),
        ],
      });
    }
    const { gameId, session } = this;
    const { tileSet } = state;
    await this.client.reportSightings(
      (async function* () {
        for (const sighting of sightings) yield { gameId, session, tileSet, sighting: create(SightingSchema, sighting) };
      })(),
    );
  }
}

// A tile that is in the stack, on a free cell beside the board, against an edge
// that it does not match.
export function misfit(state: GameState, types: readonly TileType[]): Extra {
  const edges = (id: string, rotation: number, side: number) =>
    types.find((t) => t.id === id)?.edges[(side - rotation + 8) % 4] ?? "";
  const laid = new Map(state.tiles.map((t) => [cellKey(t.cell), t]));
  for (const placed of [...state.tiles].reverse()) {
    for (let side = 0; side < 4; ++side) {
      const cell = neighbour(placed.cell!, side);
      if (laid.has(cellKey(cell))) continue;
      const own = edges(placed.tile, placed.rotation, side);
      const neighbours = [0, 1, 2, 3].filter((s) => laid.has(cellKey(neighbour(cell, s)))).length;
      if (neighbours !== 1) continue;
      for (const { id } of types) {
        if ((state.tilesLeft[id] ?? 0) === 0) continue;
        const theirs = edges(id, 0, (side + 2) % 4);
        if (theirs !== own && (theirs === "c" || own === "c")) return { tile: id, cell, rotation: 0 };
      }
    }
  }
  throw new Error("every tile fits everywhere");
}

// This tile, turned so that it has these edges clockwise from north; "." is any.
export function turnedTo(types: readonly TileType[], tile: string, cell: XY, pattern: string): Extra {
  const edges = types.find((type) => type.id === tile)!.edges;
  const rotation = [0, 1, 2, 3].find((r) => [0, 1, 2, 3].every((side) => pattern[side] === "." || pattern[side] === edges[(side - r + 4) % 4]))!;
  return { tile, cell, rotation };
}

// Lays a board on which the returned tile completes two cities at once, of two
// tiles and of three, both of them nobody's: a hand that came back there may have
// claimed either, or none.
export async function twoCities(client: GameClient, gameId: string): Promise<Extra> {
  const { tileSet } = (await client.getGame({ gameId })).state!;
  const { tiles } = await client.getTileSet({ tileSet });
  const lying = (tile: string, cell: XY, pattern: string) => turnedTo(tiles, tile, cell, pattern);
  // The start tile's city is open to the north, its road to the east.
  const before = [lying("B.U", { x: 1, y: 0 }, "frfr"), lying("B.G", { x: 1, y: -1 }, "fcfc"), lying("B.E", { x: 2, y: -1 }, "fffc")];
  for (const turn of before) {
    const { outcome } = await client.playTurn({ requestId: `${gameId}-${turn.tile}`, gameId, turn });
    if (outcome.case !== "event") throw new Error(`${turn.tile}: ${outcome.value?.text}`);
  }
  return lying("B.I", { x: 0, y: -1 }, "fccf");
}
