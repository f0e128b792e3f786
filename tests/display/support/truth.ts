// What happened in a game that the virtual table played, and whether the program tells the same.
import { FigureKind, type GameState, type Question, type Turn } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { sameCell, type XY } from "../../../services/display/src/model/grid";

type Pair = readonly [x: number, y: number];

export interface TrueTurn {
  readonly number: number;
  readonly player: number;
  readonly tile: string;
  readonly cell: Pair;
  readonly rotation: number;
  readonly deployment: { readonly kind: string; readonly segment: number } | null;
  readonly recall?: Pair;
  readonly ark_landing?: Pair;
  readonly ark_path?: readonly Pair[];
  readonly scores: readonly number[];
}
// A picture of it. Of a game of any box nobody lists the tiles and figures, and else not the special ones.
interface TrueMoment {
  readonly file: string;
  readonly settled: boolean;
  readonly tiles?: readonly unknown[];
  readonly meeples?: readonly unknown[];
  readonly special?: readonly { readonly figure: string; readonly cell: Pair }[];
}
export interface Truth {
  readonly colours: readonly string[];
  readonly start: { readonly rotation: number };
  readonly turns: readonly TrueTurn[];
  readonly final: { readonly scores: readonly number[] };
  readonly timeline: readonly TrueMoment[];
}

export const scoresAfter = ({ turns }: Truth, turn: number): readonly number[] | undefined => turns.find(({ number }) => number === turn)?.scores;

// Cells of the truth as the program counts them, who may look at the table from another side.
export class Frame {
  private readonly quarters: number;
  constructor(truth: Truth, { tiles }: GameState) {
    const start = tiles.find(({ turn }) => turn === 0);
    this.quarters = ((start?.rotation ?? 0) - truth.start.rotation) & 3;
  }
  cell([x, y]: Pair): XY {
    let cell = { x, y };
    for (let i = 0; i < this.quarters; ++i) cell = { x: -cell.y, y: cell.x };
    return cell;
  }
  rotation(rotation: number): number {
    return (rotation + this.quarters) & 3;
  }
}

// Where the Ark stands after a turn in which it was moved or set.
export const arkIn = (turn: Turn | undefined): XY | undefined => turn?.arkPath.at(-1) ?? turn?.arkLanding;
export const trueArkIn = ({ ark_path, ark_landing }: TrueTurn): Pair | undefined => ark_path?.at(-1) ?? ark_landing;

export const sameOrNone = (ours: XY | undefined, pair: Pair | undefined, frame: Frame) => (pair ? sameCell(ours, frame.cell(pair)) : ours === undefined);
const kindName = (kind: FigureKind) => FigureKind[kind]?.toLowerCase().replace("_", "-");

// In everything but whose it is.
export function isTrue(turn: Turn | undefined, truth: TrueTurn, frame: Frame): boolean {
  if (!turn) return false;
  const { deployment } = turn;
  return (
    turn.tile === truth.tile &&
    sameCell(turn.cell, frame.cell(truth.cell)) &&
    turn.rotation === frame.rotation(truth.rotation) &&
    (truth.deployment ? deployment?.segment === truth.deployment.segment && kindName(deployment.kind) === truth.deployment.kind : !deployment) &&
    sameOrNone(turn.recall, truth.recall, frame) &&
    sameOrNone(arkIn(turn), trueArkIn(truth), frame)
  );
}

// Which answer tells what happened; undefined: none of them.
export function trueAnswer({ answers }: Question, truth: Truth, frame: Frame): number | undefined {
  const i = answers.findIndex(({ turn }) => truth.turns.some((one) => isTrue(turn, one, frame)));
  return i < 0 ? undefined : i;
}
