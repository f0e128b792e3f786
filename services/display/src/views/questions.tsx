import { useEffect, useState } from "preact/hooks";
import { BoardPicture } from "../board/picture";
import type { Lit } from "../board/marks";
import { PlayerMark } from "../draw/figure";
import { FigureKind, type Answer, type Question } from "../gen/tilewarden/v1/game_pb";
import { useChange, type Doing } from "../live/use_change";
import type { Evidence } from "../live/use_evidence";
import type { TileTypes } from "../live/use_game";
import { cellKey } from "../model/grid";
import { turnAt, withTurn, type View } from "../model/view";
import { addressOf } from "../route";
import { useTexts } from "../texts/texts";
import { EvidenceButton } from "./evidence";
import { NextGame } from "./next_game";
import { MOST_POINTS } from "./number_stepper";
import { aboutWords, answerWords, asksForRiver, playerName, questionWords } from "./words";

interface Props {
  view: View;
  types: TileTypes;
  question: Question;
  // Shows the question, and nobody can answer here.
  spectator: boolean;
  evidence: Evidence | undefined;
  onEnlarge: () => void;
  // Not now, and not on this device.
  onAside: () => void;
}

// Where it is about, and where each answer is; undefined: nowhere on the board.
export function litByQuestion({ cells, answers }: Question): Lit | undefined {
  const all = new Map([...cells, ...answers.flatMap((answer) => answer.cells)].map((cell) => [cellKey(cell), cell]));
  return all.size > 0 ? { cells: [...all.values()], tone: "note" } : undefined;
}

// Where to say by hand which tile it is.
function byHand(view: View, { answers }: Question): string {
  const turn = turnAt(view, answers[0]?.turn?.cell);
  return addressOf({ view: "correct", gameId: view.gameId, ...(turn > 0 && { detail: String(turn) }) });
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

// What the camera could not tell for sure: what it saw of the place, and two or three
// pictures to touch; or what nobody saw: points to enter, what is played with. Play goes on meanwhile.
export function QuestionCard({ view, types, question, spectator, evidence, onEnlarge, onAside }: Props) {
  const texts = useTexts();
  const doing = useChange(view.gameId);
  const guarded = useGuard();
  // About the whole game: there is nothing to draw.
  const words = question.playingWith !== FigureKind.UNSPECIFIED || asksForRiver(question);
  const pictures = !words && !question.pointsSoFar && !question.tableCleared;
  const give = (answer: number) => void doing.carryOut({ kind: "answer", question: question.id, answer });
  const closed = spectator || doing.busy || guarded;
  return (
    <section class="question" aria-labelledby="question-text" data-question={question.id} data-guarded={guarded}>
      <h2 id="question-text" dir="auto">{questionWords(texts, view, question)}</h2>
      <p class="question-about" dir="auto">{aboutWords(texts, view, question)}</p>
      {question.pointsSoFar && <PointsSoFar view={view} question={question} disabled={closed} doing={doing} />}
      {question.tableCleared && <TableCleared view={view} question={question} disabled={closed} doing={doing} />}
      {evidence && <EvidenceButton lit={litByQuestion(question)} evidence={evidence} onEnlarge={onEnlarge} />}
      {words && <div class="question-buttons">
        {question.answers.map((answer, i) => (
          <button key={i} type="button" class="wide-button quiet" disabled={closed} data-answer={i} onClick={() => give(i)}>
            <span dir="auto">{answerWords(texts, types, question, answer)}</span>
          </button>
        ))}
      </div>}
      {pictures && <div class="question-answers">
        {question.answers.map((answer, i) => (
          <button
            key={i}
            type="button"
            class="option"
            disabled={closed}
            data-answer={i}
            onClick={() => give(i)}
          >
            <AnswerPicture view={view} types={types} answer={answer} />
            <span dir="auto">{answerWords(texts, types, question, answer)}</span>
          </button>
        ))}
      </div>}
      {question.whichTile && !spectator && <a class="wide-button quiet" href={byHand(view, question)} data-by-hand>
        {texts.say("question.tile.other")}
      </a>}
      {doing.error && <p class="refused" role="alert" dir="auto">{doing.error}</p>}
      {!question.tableCleared && <button type="button" class="wide-button quiet" disabled={guarded} onClick={onAside}>
        {texts.say("question.later")}
      </button>}
    </section>
  );
}

interface OtherProps {
  view: View;
  question: Question;
  disabled: boolean;
  doing: Doing;
}

// Whether the game is over; if so, the next one begins with the same touch.
function TableCleared({ view, question, disabled, doing }: OtherProps) {
  const texts = useTexts();
  const answer = (index: number) => doing.carryOut({ kind: "answer", question: question.id, answer: index });
  return (
    <div class="question-buttons">
      <NextGame view={view} disabled={disabled} label="question.cleared.again" before={() => answer(OVER)} />
      <button type="button" class="wide-button quiet" data-answer="0" disabled={disabled} onClick={() => void answer(OVER)}>
        {texts.say("question.cleared.over")}
      </button>
      <button type="button" class="wide-button quiet" data-answer="1" disabled={disabled} onClick={() => void answer(PLAYED_ON)}>
        {texts.say("question.cleared.on")}
      </button>
    </div>
  );
}
const OVER = 0;
const PLAYED_ON = 1;

// Each player's points before the game was joined. What was taken is not sent again
// where a later one fails.
function PointsSoFar({ view, question, disabled, doing }: OtherProps) {
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
  return <BoardPicture view={turn ? withTurn(view, types, turn) : view} types={types} around={{ cell, reach: REACH }} />;
}
