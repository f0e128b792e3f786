// What the page shows of one game: the fold of the state the watch began with
// and every event since. Pure; a view is never changed, only replaced.
import { create } from "@bufbuild/protobuf";
import {
  FigureKind,
  GamePhase,
  PlacedFigureSchema,
  PlacedTileSchema,
  Pose,
  SegmentKind,
  type Finding,
  type GameClock,
  type GameEvent,
  type GameState,
  type PlacedFigure,
  type PlacedTile,
  type Player,
  type Question,
  type RefereeCall,
  type ScoreItem,
  type TileType,
  type Turn,
  type TurnPlayed,
} from "../gen/tilewarden/v1/game_pb";
import { cellKey, rotatedPoint, sameCell, type XY } from "./grid";

export interface LastTurn {
  readonly turn: number;
  readonly tile: PlacedTile;
  readonly items: readonly ScoreItem[];
  readonly returned: readonly PlacedFigure[];
  // A figure that nobody saw was inferred from what the hand did.
  readonly inferred: boolean;
}

export interface View {
  readonly gameId: string;
  readonly name: string;
  readonly phase: GamePhase;
  readonly tileSet: string;
  // Games with the same tile set and edition have the same tile types.
  readonly tileEdition: string;
  // Every option of the rules by name.
  readonly rules: Readonly<Record<string, string>>;
  readonly players: readonly Player[];
  readonly toMove: string;
  readonly turn: number;
  readonly tiles: readonly PlacedTile[];
  readonly figures: readonly PlacedFigure[];
  // Of nobody: the Ark, the Gingerbread Man.
  readonly neutral: readonly PlacedFigure[];
  // Every point scored, oldest first; the final scoring's have turn 0.
  readonly scoreItems: readonly ScoreItem[];
  // What would be scored if the game ended now, as of `liveItemsAt`.
  readonly liveItems: readonly ScoreItem[];
  readonly liveItemsAt: bigint;
  readonly findings: readonly Finding[];
  // What the camera could not tell for sure, oldest first.
  readonly questions: readonly Question[];
  readonly tilesLeft: Readonly<Record<string, number>>;
  readonly winners: readonly string[];
  // Changes that people made after the end.
  readonly correctedAfterEnd: number;
  // No camera follows it.
  readonly byHand: boolean;
  // Undoing takes back the answer that it is played with this kind; unspecified: the last turn.
  readonly undoesAnswer: FigureKind;
  // The same about a river.
  readonly undoesRiver: boolean;
  // Undefined: nobody calls for a referee.
  readonly call?: RefereeCall;
  readonly clock?: GameClock;
  readonly eventNumber: bigint;
  // The last tile laid; undefined before the first turn.
  readonly last?: LastTurn;
  // Turns whose deployment was inferred, as far as this viewer saw them.
  readonly inferredTurns: readonly number[];
  // What the last revision changed; gone with the next turn.
  readonly revision?: string;
}

export function viewOf(state: GameState, previous?: View): View {
  const latest = state.tiles.reduce<PlacedTile | undefined>(
    (best, tile) => (tile.turn > 0 && tile.turn >= (best?.turn ?? 1) ? tile : best),
    undefined,
  );
  const inferredTurns = previous?.gameId === state.gameId ? previous.inferredTurns : [];
  return {
    gameId: state.gameId,
    name: state.name,
    phase: state.phase,
    tileSet: state.tileSet,
    tileEdition: state.tileEdition,
    rules: state.rules,
    players: state.players,
    toMove: state.toMove,
    turn: state.turn,
    tiles: state.tiles,
    figures: state.figures,
    neutral: state.neutralFigures,
    scoreItems: state.scoreItems,
    liveItems: state.liveItems,
    liveItemsAt: state.eventNumber,
    findings: state.findings,
    questions: state.questions,
    tilesLeft: state.tilesLeft,
    winners: state.phase === GamePhase.ENDED ? leaders(state.players) : [],
    correctedAfterEnd: state.correctedAfterEnd,
    byHand: state.byHand,
    undoesAnswer: state.undoPlayingWith,
    undoesRiver: state.undoRiver,
    ...(state.call && { call: state.call }),
    ...(state.clock && { clock: state.clock }),
    eventNumber: state.eventNumber,
    ...(latest && {
      last: {
        turn: latest.turn,
        tile: latest,
        items: state.scoreItems.filter((item) => item.turn === latest.turn),
        returned: [],
        inferred: inferredTurns.includes(latest.turn),
      },
    }),
    inferredTurns,
  };
}

// The view after an event. Events that the view already holds change nothing.
export function fold(view: View, event: GameEvent): View {
  if (event.number <= view.eventNumber) return view;
  const next = { ...change(view, event), eventNumber: event.number, ...(event.clock && { clock: event.clock }) };
  if (event.players.length === 0) return next;
  return { ...next, players: event.players, toMove: event.toMove };
}

function change(view: View, event: GameEvent): View {
  const { what } = event;
  switch (what.case) {
    case "created":
      return viewOf(what.value, view);
    case "revised": {
      if (!what.value.state) return view;
      return { ...viewOf(what.value.state, view), revision: what.value.reason };
    }
    case "turnPlayed":
      return afterTurn(view, what.value);
    case "findingRaised":
      return {
        ...view,
        findings: [...view.findings.filter((f) => f.id !== what.value.id), what.value],
      };
    case "findingCleared":
      return { ...view, findings: view.findings.filter((f) => f.id !== what.value.id) };
    case "questionAsked":
      return { ...view, questions: [...view.questions.filter((q) => q.id !== what.value.id), what.value] };
    case "questionClosed":
      return { ...view, questions: view.questions.filter((q) => q.id !== what.value.id) };
    case "ended":
      return {
        ...view,
        phase: GamePhase.ENDED,
        scoreItems: [...view.scoreItems, ...what.value.finalItems],
        winners: what.value.winners,
        findings: [],
        questions: [],
      };
    default:
      // Players come with every event. Or a kind of event that this page is too
      // old to know.
      return view;
  }
}

function afterTurn(view: View, played: TurnPlayed): View {
  const { tile, deployed } = played;
  if (!tile) return view;
  const tiles = [...view.tiles.filter((t) => !sameCell(t.cell, tile.cell)), tile];
  const figures = [...view.figures, ...(deployed ? [deployed] : [])];
  for (const gone of played.returned) {
    const at = figures.findIndex((figure) => sameFigure(figure, gone));
    if (at >= 0) figures.splice(at, 1);
  }
  const left = Math.max(0, (view.tilesLeft[tile.tile] ?? 0) - 1);
  const inferred = played.deployment?.inferred ?? false;
  const { revision: _, ...rest } = view;
  return {
    ...rest,
    phase: GamePhase.PLAYING,
    undoesAnswer: FigureKind.UNSPECIFIED,
    undoesRiver: false,
    turn: Math.max(view.turn, played.turn),
    tiles,
    figures,
    neutral: played.neutralFigures,
    scoreItems: [...view.scoreItems, ...played.scoreItems],
    tilesLeft: { ...view.tilesLeft, [tile.tile]: left },
    last: {
      turn: played.turn,
      tile,
      items: played.scoreItems,
      returned: played.returned,
      inferred,
    },
    inferredTurns: inferred ? [...view.inferredTurns, played.turn] : view.inferredTurns,
  };
}

export const sameFigure = (a: PlacedFigure, b: PlacedFigure): boolean =>
  a.colour === b.colour &&
  a.kind === b.kind &&
  a.segment === b.segment &&
  cellKey(a.cell) === cellKey(b.cell);

function leaders(players: readonly Player[]): string[] {
  const most = Math.max(...players.map((player) => player.score));
  return players.filter((player) => player.score === most).map((player) => player.colour);
}

export const tilesLeftTotal = (view: View): number =>
  Object.values(view.tilesLeft).reduce((sum, count) => sum + count, 0);

// The board as it would lie with this turn, in the place of whatever lies in its cell.
export function withTurn(view: View, types: ReadonlyMap<string, TileType>, turn: Turn): View {
  const { cell, deployment } = turn;
  if (!cell) return view;
  const segment = deployment && types.get(turn.tile)?.segments[deployment.segment];
  const number = view.tiles.find((tile) => sameCell(tile.cell, cell))?.turn ?? view.turn + 1;
  const tiles = [
    ...view.tiles.filter((tile) => !sameCell(tile.cell, cell)),
    create(PlacedTileSchema, { cell, tile: turn.tile, rotation: turn.rotation, turn: number, colour: turn.colour }),
  ];
  return {
    ...view,
    tiles,
    neutral: neutralAfter({ ...view, tiles }, types, turn),
    figures: [
      ...view.figures.filter((figure) => !sameCell(figure.cell, cell)),
      ...(deployment && segment
        ? [
            create(PlacedFigureSchema, {
              colour: turn.colour,
              kind: deployment.kind,
              cell,
              segment: deployment.segment,
              feature: segment.kind,
              pose: segment.kind === SegmentKind.FIELD && deployment.kind !== FigureKind.PIG ? Pose.LYING : Pose.STANDING,
              spot: rotatedPoint(segment.spot ?? { x: 0.5, y: 0.5 }, turn.rotation),
            }),
          ]
        : []),
    ],
  };
}

// Nobody's figures, where this turn takes them.
function neutralAfter(view: View, types: ReadonlyMap<string, TileType>, turn: Turn): readonly PlacedFigure[] {
  const at = (kind: FigureKind, cell: XY, segment: number): PlacedFigure => {
    const tile = view.tiles.find((laid) => sameCell(laid.cell, cell));
    const spot = kind === FigureKind.ARK ? undefined : types.get(tile?.tile ?? "")?.segments[segment]?.spot;
    return create(PlacedFigureSchema, {
      kind,
      cell,
      segment,
      pose: Pose.STANDING,
      spot: rotatedPoint(spot ?? { x: 0.5, y: 0.5 }, tile?.rotation ?? 0),
    });
  };
  const ark = turn.arkPath[turn.arkPath.length - 1] ?? turn.arkLanding;
  const man = turn.gingerbread[turn.gingerbread.length - 1];
  return [
    ...view.neutral.filter(({ kind }) => !(kind === FigureKind.ARK && ark) && !(kind === FigureKind.GINGERBREAD_MAN && man)),
    ...(ark ? [at(FigureKind.ARK, ark, 0)] : []),
    ...(man?.cell ? [at(FigureKind.GINGERBREAD_MAN, man.cell, man.segment)] : []),
  ];
}

// The turn in which the tile on this cell was laid; 0: none lies there, or it began there.
export const turnAt = (view: View, cell: XY | undefined): number => view.tiles.find((tile) => sameCell(tile.cell, cell))?.turn ?? 0;
