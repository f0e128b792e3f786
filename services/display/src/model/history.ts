// The game from its start, moment by moment, folded from its events. Pure.
import { FigureKind, GamePhase, type GameEvent, type Player, type ScoreItem } from "../gen/tilewarden/v1/game_pb";
import { kindOf } from "./sheet";
import { fold, type View } from "./view";

export interface Moment {
  // Turns played by then.
  readonly turn: number;
  readonly view: View;
}

// As it was before the first turn: only the start tile.
export function beginningOf(view: View): View {
  const { last: _, revision: __, ...rest } = view;
  const tilesLeft: Record<string, number> = { ...view.tilesLeft };
  for (const tile of view.tiles) {
    if (tile.turn > 0) tilesLeft[tile.tile] = (tilesLeft[tile.tile] ?? 0) + 1;
  }
  return {
    ...rest,
    phase: GamePhase.PLAYING,
    players: view.players.map((player) => ({
      ...player,
      score: 0,
      liveScore: 0,
      supply: player.supply + away(view, player),
      goods: {},
      specialFigures: player.specialFigures.map((special) => ({ ...special, count: Math.max(1, special.count) })),
    })),
    toMove: "",
    turn: 0,
    tiles: view.tiles.filter((tile) => tile.turn === 0),
    figures: [],
    neutral: [],
    scoreItems: [],
    liveItems: [],
    findings: [],
    questions: [],
    tilesLeft,
    winners: [],
    eventNumber: 1n,
    inferredTurns: [],
  };
}

const away = (view: View, player: Player): number =>
  view.figures.filter(({ colour, kind }) => colour === player.colour && kind === FigureKind.FOLLOWER).length;

export class History {
  private current: View;
  private moments_: Moment[];

  constructor(beginning: View) {
    this.current = beginning;
    this.moments_ = [{ turn: 0, view: beginning }];
  }

  get moments(): readonly Moment[] {
    return this.moments_;
  }
  get eventNumber(): bigint {
    return this.current.eventNumber;
  }

  add(event: GameEvent): void {
    if (event.number <= this.current.eventNumber) return;
    this.current = fold(this.current, event);
    const { turn } = this.current;
    switch (event.what.case) {
      case "turnPlayed":
      case "ended":
        this.moments_ = [...this.moments_, { turn, view: this.current }];
        break;
      case "created":
      case "revised":
        // What was taken back or changed did not happen.
        this.moments_ = [
          ...this.moments_.filter((moment) => moment.turn < turn || moment.turn === 0),
          ...(turn > 0 ? [{ turn, view: this.current }] : []),
        ];
        break;
      default:
        break;
    }
  }
}

export interface Curve {
  readonly colour: string;
  // Points after each turn, from turn 0; the final scoring is one step more.
  readonly points: readonly number[];
}

export function scoreCurves(players: readonly Player[], items: readonly ScoreItem[], turns: number): Curve[] {
  const final = items.some((item) => item.turn === 0);
  return players.map(({ colour }) => {
    const steps = new Array<number>(turns + 1 + (final ? 1 : 0)).fill(0);
    for (const item of items) {
      if (item.colour !== colour) continue;
      const step = item.turn === 0 ? turns + 1 : Math.min(item.turn, turns);
      steps[step] = (steps[step] ?? 0) + item.points;
    }
    let sum = 0;
    return { colour, points: steps.map((points) => (sum += points)) };
  });
}

// By how many lines' breadths each curve is drawn beside its own place at each step, so
// that equal scores do not hide each other: 0 where nobody has as many.
export function sideBySide(curves: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return curves.map((curve, i) =>
    curve.map((points, step) => {
      const equal = curves.flatMap((other, k) => (other[step] === points ? [k] : []));
      return equal.indexOf(i) - (equal.length - 1) / 2;
    }),
  );
}

// Places on a line at least `gap` apart, each as near to its own as there is room,
// between `from` and `to`.
export function apart(places: readonly number[], gap: number, from: number, to: number): readonly number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]! || a - b);
  const moved = [...places];
  let least = from;
  for (const i of order) least = (moved[i] = Math.max(places[i]!, least)) + gap;
  let most = to;
  for (const i of order.reverse()) most = (moved[i] = Math.min(moved[i]!, most)) - gap;
  return moved;
}

// The final scoring in the order of its show: what stayed unfinished, and then the farms, the largest
// last.
export function finalItems(view: View): readonly ScoreItem[] {
  const items = view.scoreItems.filter((item) => item.turn === 0 && item.points !== 0);
  const farms = items.filter((item) => kindOf(item) === "field").sort((a, b) => a.points - b.points);
  return [...items.filter((item) => kindOf(item) !== "field"), ...farms];
}

// As it stood after the first `shown` of the final scoring's items.
export function duringFinalScoring(view: View, finals: readonly ScoreItem[], shown: number): View {
  const hidden = finals.slice(shown);
  const points = (colour: string) =>
    hidden.filter((item) => item.colour === colour).reduce((sum, item) => sum + item.points, 0);
  return {
    ...view,
    winners: [],
    scoreItems: view.scoreItems.filter((item) => !hidden.includes(item)),
    players: view.players.map((player) => ({ ...player, score: player.score - points(player.colour) })),
  };
}
