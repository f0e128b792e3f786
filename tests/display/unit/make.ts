// Short ways to write messages in tests.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  FigureKind,
  GameEventSchema,
  GamePhase,
  GameStateSchema,
  Pose,
  SegmentKind,
  TileTypeSchema,
  type GameEvent,
  type GameState,
  type TileType,
} from "../../../services/display/src/gen/tilewarden/v1/game_pb";

export const cell = (x: number, y: number) => ({ x, y });

export const player = (colour: string, score = 0, supply = 7) => ({ colour, name: colour, score, liveScore: score, supply });

export const tile = (turn: number, x: number, y: number, colour = "red", type = "B.U") => ({
  turn,
  cell: cell(x, y),
  colour,
  tile: type,
  rotation: 0,
});

export const figure = (colour: string, x: number, y: number, segment = 0) => ({
  colour,
  cell: cell(x, y),
  segment,
  kind: FigureKind.FOLLOWER,
  feature: SegmentKind.ROAD,
  pose: Pose.STANDING,
  spot: { x: 0.5, y: 0.5 },
});

export const state = (more: MessageInitShape<typeof GameStateSchema> = {}): GameState =>
  create(GameStateSchema, {
    gameId: "g",
    phase: GamePhase.PLAYING,
    tileSet: "base.c1",
    players: [player("red"), player("blue")],
    toMove: "red",
    tiles: [tile(0, 0, 0, "")],
    tilesLeft: { "B.U": 8, "B.V": 9 },
    eventNumber: 1n,
    ...more,
  });

export const event = (number: bigint, more: MessageInitShape<typeof GameEventSchema> = {}): GameEvent =>
  create(GameEventSchema, { number, ...more });

// A straight road with a city on top, as the start tile.
export const startTile = (): TileType =>
  create(TileTypeSchema, {
    id: "B.D",
    edges: "crfr",
    count: 4,
    segments: [
      {
        kind: SegmentKind.CITY,
        areas: [{ points: [{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 0.75, y: 0.2 }, { x: 0.5, y: 0.27 }, { x: 0.25, y: 0.2 }, { x: 0, y: 0 }] }],
        spot: { x: 0.5, y: 0.1 },
        coatsOfArms: 1,
        coatOfArmsSpots: [{ x: 0.2, y: 0.08 }],
      },
      { kind: SegmentKind.ROAD, paths: [{ points: [{ x: 1, y: 0.5 }, { x: 0.5, y: 0.5 }, { x: 0, y: 0.5 }] }], spot: { x: 0.6, y: 0.5 } },
      { kind: SegmentKind.FIELD, spot: { x: 0.9, y: 0.3 } },
      { kind: SegmentKind.FIELD, spot: { x: 0.2, y: 0.8 } },
    ],
  });

// Four roads that meet, the same from every side.
export const crossroads = (): TileType =>
  create(TileTypeSchema, {
    id: "B.X",
    edges: "rrrr",
    count: 1,
    segments: [
      ...[{ x: 0.5, y: 0 }, { x: 1, y: 0.5 }, { x: 0.5, y: 1 }, { x: 0, y: 0.5 }].map((end) => ({
        kind: SegmentKind.ROAD,
        paths: [{ points: [end, { x: 0.5, y: 0.5 }] }],
        spot: { x: (end.x + 0.5) / 2, y: (end.y + 0.5) / 2 },
      })),
      ...[{ x: 0.2, y: 0.2 }, { x: 0.8, y: 0.2 }, { x: 0.8, y: 0.8 }, { x: 0.2, y: 0.8 }].map((spot) => ({ kind: SegmentKind.FIELD, spot })),
    ],
  });
