import { create } from "@bufbuild/protobuf";
import { useEffect, useState } from "preact/hooks";
import { BoardPicture } from "../board/picture";
import { PlayerMark } from "../draw/figure";
import { PlacedFigureSchema, PlacedTileSchema, Pose, SegmentKind, type Answer, type Question } from "../gen/tilewarden/v1/game_pb";
import { useChange, type Doing } from "../live/use_change";
import type { TileTypes } from "../live/use_game";
import { useStakes } from "../live/use_stakes";
import { rotatedPoint, sameCell, type XY } from "../model/grid";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { MOST_POINTS } from "./points_editor";
import { aboutWords, answerWords, playerName, questionWords } from "./words";

interface Props {
  view: View;
  types: TileTypes;
  question: Question;
  // Shows the question, and nobody can answer here.
  spectator: boolean;
  // Not now, and not on this device.
  onAside: () => void;
}

// A question that comes up under a finger does not take the touch that was meant for
// the board.
const GUARD_MS = 700;

function useGuard(): boolean {
  const [guarded, setGuarded] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(false), GUARD_MS);
    return () => clearTimeout(timer);
  }, []);
  return guarded;
}

// What the camera could not tell for sure, as two or three pictures to touch, or
// what nobody saw: points to enter. Play goes on meanwhile.
export function QuestionCard({ view, types, question, spectator, onAside }: Props) {
  const texts = useTexts();
  const doing = useChange(view.gameId);
  const guarded = useGuard();
  const stakes = useStakes(view, question);
  const pictures = !question.pointsSoFar;
  const closed = spectator || doing.busy || guarded;
  return (
    <section class="question" aria-labelledby="question-text" data-question={question.id} data-guarded={guarded}>
      <h2 id="question-text" dir="auto">{questionWords(texts, view, question)}</h2>
      <p class="question-about" dir="auto">{aboutWords(texts, view, question, stakes)}</p>
      {question.pointsSoFar && <PointsSoFar view={view} question={question} disabled={closed} doing={doing} />}
      {pictures && <div class="question-answers">
        {question.answers.map((answer, i) => (
          <button
            key={i}
            type="button"
            class="option"
            disabled={closed}
            data-answer={i}
            onClick={() => void doing.carryOut({ kind: "answer", question: question.id, answer: i })}
          >
            <AnswerPicture view={view} types={types} answer={answer} />
            <span dir="auto">{answerWords(texts, types, question, answer)}</span>
          </button>
        ))}
      </div>}
      {doing.error && <p class="refused" role="alert" dir="auto">{doing.error}</p>}
      <button type="button" class="wide-button quiet" disabled={guarded} onClick={onAside}>
        {texts.say("question.later")}
      </button>
    </section>
  );
}

interface PointsProps {
  view: View;
  question: Question;
  disabled: boolean;
  doing: Doing;
}

// Each player's points before the game was joined. What was taken is not sent again
// where a later one fails.
function PointsSoFar({ view, question, disabled, doing }: PointsProps) {
  const texts = useTexts();
  const [points, setPoints] = useState<Readonly<Record<string, number>>>({});
  const enter = async (event: Event) => {
    event.preventDefault();
    for (const { colour } of view.players) {
      const had = points[colour] ?? 0;
      if (had === 0) continue;
      if (!(await doing.carryOut({ kind: "points", colour, points: had, reason: texts.say("question.points.reason") }))) return;
      setPoints((rest) => ({ ...rest, [colour]: 0 }));
    }
    await doing.carryOut({ kind: "answer", question: question.id, answer: 0 });
  };
  return (
    <form class="points-so-far" onSubmit={(event) => void enter(event)}>
      {view.players.map(({ colour }) => (
        <label key={colour} data-player={colour}>
          <PlayerMark colour={colour} />
          <span dir="auto">{playerName(texts, view, colour)}</span>
          <input
            type="number"
            min={0}
            max={MOST_POINTS}
            value={points[colour] ?? 0}
            onInput={(e) => setPoints({ ...points, [colour]: Math.max(0, Math.min(MOST_POINTS, Math.trunc(Number(e.currentTarget.value)) || 0)) })}
          />
        </label>
      ))}
      <button type="submit" class="wide-button" disabled={disabled}>{texts.say("question.points.done")}</button>
    </form>
  );
}

const REACH = 1;

// The board around the turn in question, as it would be with this answer.
function AnswerPicture({ view, types, answer }: { view: View; types: TileTypes; answer: Answer }) {
  const { turn } = answer;
  const cell = turn?.cell ?? answer.cells[0];
  if (!cell) return null;
  return <BoardPicture view={turn ? withTurn(view, types, answer, cell) : view} types={types} around={{ cell, reach: REACH }} />;
}

function withTurn(view: View, types: TileTypes, { turn }: Answer, cell: XY): View {
  if (!turn?.cell) return view;
  const segment = turn.deployment && types.get(turn.tile)?.segments[turn.deployment.segment];
  const number = view.tiles.find((tile) => sameCell(tile.cell, cell))?.turn ?? view.turn + 1;
  return {
    ...view,
    tiles: [
      ...view.tiles.filter((tile) => !sameCell(tile.cell, cell)),
      create(PlacedTileSchema, { cell: turn.cell, tile: turn.tile, rotation: turn.rotation, turn: number, colour: turn.colour }),
    ],
    figures: [
      ...view.figures.filter((figure) => !sameCell(figure.cell, cell)),
      ...(turn.deployment && segment
        ? [
            create(PlacedFigureSchema, {
              colour: turn.colour,
              kind: turn.deployment.kind,
              cell: turn.cell,
              segment: turn.deployment.segment,
              feature: segment.kind,
              pose: segment.kind === SegmentKind.FIELD ? Pose.LYING : Pose.STANDING,
              spot: rotatedPoint(segment.spot ?? { x: 0.5, y: 0.5 }, turn.rotation),
            }),
          ]
        : []),
    ],
  };
}
