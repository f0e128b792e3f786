import { create } from "@bufbuild/protobuf";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board } from "../board/board";
import type { Lit, Place } from "../board/marks";
import { PlayerMark } from "../draw/figure";
import { TileThumb } from "../draw/thumb";
import { FigureKind, GamePhase, TurnSchema, type Turn } from "../gen/tilewarden/v1/game_pb";
import { useServices } from "../live/client";
import { useAnswer } from "../live/use_answer";
import { useChange, usePreview } from "../live/use_change";
import type { TileTypes } from "../live/use_game";
import type { Link } from "../live/watcher";
import { sameTurn, withChoice, type Change } from "../model/correction";
import { neighbour, sameCell, type XY } from "../model/grid";
import { turnAt, viewOf, type View } from "../model/view";
import { useTexts, type Texts } from "../texts/texts";
import { DifferenceList } from "./difference";
import { PointsEditor, type PointsDraft } from "./points_editor";
import { TurnEditor } from "./turn_editor";
import { playerName, undoKey } from "./words";

const NO_INSETS = { top: 8, right: 8, bottom: 8, left: 8 };
// Room for the word that this is a preview.
const PREVIEW_INSETS = { ...NO_INSETS, top: 62 };
const NO_CHOICES = [] as const;
const NO_POINTS: PointsDraft = { colour: "", points: 0, reason: "" };

// What is being corrected.
type Task =
  | { readonly kind: "turn"; readonly number: number }
  | { readonly kind: "new"; readonly cell: XY }
  | { readonly kind: "points" }
  | { readonly kind: "undo" }
  | { readonly kind: "redo" }
  | { readonly kind: "end" };

interface Props {
  view: View;
  types: TileTypes;
  link: Link;
  // Turn to begin with, from the address.
  detail: string | undefined;
}

// Corrects past turns by hand: tap what is wrong, choose what it was, see
// what that changes, and confirm.
export function Correct({ view, types, link, detail }: Props) {
  const texts = useTexts();
  const { query } = useServices();
  const [task, setTask] = useState<Task | undefined>(() => taskOf(detail, view));
  useEffect(() => begin(taskOf(detail, view)), [detail]);
  const [draft, setDraft] = useState<Turn | undefined>();
  const [points, setPoints] = useState<PointsDraft>(NO_POINTS);
  const [undone, setUndone] = useState<readonly Turn[]>([]);
  const [hint, setHint] = useState<string | undefined>();
  const { gameId, eventNumber } = view;
  const { value: played } = useAnswer((signal) => query.listTurns({ gameId }, { signal }), [gameId, eventNumber]);
  const turns = played?.turns ?? [];
  const original = task?.kind === "turn" ? turns[task.number - 1] : undefined;
  const cell = task?.kind === "new" ? task.cell : original?.cell;
  const colour = draft?.colour ?? original?.colour ?? view.toMove;
  const number = task?.kind === "turn" ? task.number : 0;
  const { value: listed } = useAnswer(
    cell &&
      (async (signal) => {
        const { choices, ark } = await query.listChoices({ gameId, turnNumber: number, cell, colour }, { signal });
        return { number, cell, choices, ark };
      }),
    [gameId, eventNumber, number, cell?.x, cell?.y, colour],
  );
  const known = listed?.number === number && sameCell(listed.cell, cell);
  const choices = known ? listed.choices : NO_CHOICES;

  // A turn by hand begins with what is likeliest there.
  useEffect(() => {
    const [first] = choices;
    if (task?.kind !== "new" || draft || !first) return;
    setDraft(withChoice(create(TurnSchema, { colour: view.toMove, cell: task.cell }), first));
  }, [task, choices]);

  const turn = draft ?? original;
  const change = useMemo((): Change | undefined => {
    switch (task?.kind) {
      case "turn":
        return draft && !sameTurn(draft, original) ? { kind: "correct", number: task.number, turn: draft } : undefined;
      case "new":
        return draft && { kind: "play", turn: draft };
      case "redo": {
        const next = undone[undone.length - 1];
        return next && { kind: "play", turn: next };
      }
      case "points":
        return points.colour && points.points !== 0 && points.reason.trim() ? { kind: "points", ...points } : undefined;
      case "undo":
      case "end":
        return { kind: task.kind };
      default:
        return undefined;
    }
  }, [task, draft, original, undone, points]);
  const preview = usePreview(gameId, eventNumber, change);
  const doing = useChange(gameId);
  const after = useMemo(() => (preview.state ? viewOf(preview.state, view) : undefined), [preview.state]);

  const ended = view.phase === GamePhase.ENDED;
  const undoesAnswer = view.undoesAnswer !== FigureKind.UNSPECIFIED || view.undoesRiver;
  const undoes = undoKey(view);
  const begin = (next: Task | undefined) => {
    setTask(next);
    setDraft(undefined);
    setPoints(NO_POINTS);
    setHint(undefined);
    doing.forget();
  };
  const touch = (at: XY) => {
    const tile = view.tiles.find((t) => sameCell(t.cell, at));
    const beside = [0, 1, 2, 3].some((side) => view.tiles.some((t) => sameCell(t.cell, neighbour(at, side))));
    begin(tile ? (tile.turn > 0 ? { kind: "turn", number: tile.turn } : undefined) : beside && !ended ? { kind: "new", cell: at } : undefined);
    if (tile?.turn === 0) setHint(texts.say("correct.start"));
  };
  // The camera doubts it, and somebody says that it is right.
  const doubted = view.findings.some(({ cells, tile }) => !tile && cells.some((at) => sameCell(at, original?.cell)));
  const confirm = task?.kind === "turn" && original && !draft && doubted ? { kind: "correct" as const, number: task.number, turn: original } : undefined;
  const carryOut = async (change: Change | undefined) => {
    if (!change) return;
    const last = turns[turns.length - 1];
    if (!(await doing.carryOut(change))) return;
    if (change.kind === "undo" && undoesAnswer) setUndone([]);
    else if (change.kind === "undo" && last) setUndone([...undone, last]);
    // Points stand beside the turns: what was taken back can still be played again.
    else if (change.kind !== "points") setUndone(task?.kind === "redo" ? undone.slice(0, -1) : []);
    setTask(undefined);
    setDraft(undefined);
  };

  // The pressed button is gone, so keyboards continue from the heading.
  const heading = useRef<HTMLHeadingElement>(null);
  const begun = useRef(task);
  useEffect(() => {
    if (begun.current !== task) heading.current?.focus();
    begun.current = task;
  }, [task]);

  const lit = useMemo<Lit | undefined>(() => cell && { cells: [cell], tone: "note" }, [cell?.x, cell?.y]);
  const places = useMemo<readonly Place[]>(
    () => (task?.kind === "new" && !after ? [{ cell: task.cell, label: "?", tone: "chosen" }] : []),
    [task, after],
  );
  return (
    <main class={`board-view correct-view${original || task?.kind === "new" || task?.kind === "points" ? " at-work" : ""}`}>
      <Board view={after ?? view} types={types} lit={lit} places={places} insets={after ? PREVIEW_INSETS : NO_INSETS} onTap={touch}>
        {after && <p class="preview-mark">{texts.say("correct.preview")}</p>}
      </Board>
      <aside class="side">
        <section class="card correct-panel" aria-labelledby="correct-title">
          <h2 id="correct-title" ref={heading} tabIndex={-1}>{task?.kind === "undo" && undoesAnswer ? texts.say(undoes) : title(task, texts)}</h2>
          {ended && !task && <p>{texts.say("correct.ended")}</p>}
          {!task && <p class="empty">{hint ?? texts.say("correct.how")}</p>}
          {task?.kind === "end" && <p>{texts.say("correct.end.more")}</p>}
          {task?.kind === "points" && <p class="empty">{texts.say("correct.points.more")}</p>}
          {task?.kind === "points" && <PointsEditor view={view} draft={points} onChange={setPoints} />}
          {task?.kind === "new" && known && choices.length === 0 && <p>{texts.say("correct.nothing.fits")}</p>}
          {turn && cell && choices.length > 0 && (
            <TurnEditor view={view} types={types} turn={turn} choices={choices} ark={listed?.ark} onChange={setDraft} />
          )}
          {task && (
            <Decision
              view={view}
              after={task.kind === "end" ? endOf(view) : after}
              waiting={change !== undefined && task.kind !== "end" && !after}
              refused={change ? (preview.refusal ? texts.refusal(preview.refusal) : (preview.error ?? doing.error)) : doing.error}
              ready={change !== undefined && preview.fresh && link === "live" && !doing.busy}
              {...(confirm && { onConfirm: () => void carryOut(confirm) })}
              onDo={() => void carryOut(change)}
              onLeave={() => begin(undefined)}
            />
          )}
          {!task && (
            <>
              {!ended && <div class="correct-buttons">
                <button type="button" class="wide-button quiet" disabled={turns.length === 0 && !undoesAnswer} onClick={() => begin({ kind: "undo" })}>
                  {texts.say(undoes)}
                </button>
                <button type="button" class="wide-button quiet" disabled={undone.length === 0} onClick={() => begin({ kind: "redo" })}>
                  {texts.say("correct.redo")}
                </button>
              </div>}
              <TurnList view={view} types={types} turns={turns} onChoose={(number) => begin({ kind: "turn", number })} />
              <div class="correct-buttons">
                <button type="button" class="wide-button quiet" disabled={view.players.length === 0} onClick={() => begin({ kind: "points" })}>
                  {texts.say("correct.points")}
                </button>
                {!ended && <button type="button" class="wide-button quiet" onClick={() => begin({ kind: "end" })}>
                  {texts.say("correct.end")}
                </button>}
              </div>
            </>
          )}
        </section>
      </aside>
    </main>
  );
}

// What the address says to begin with: a turn, a cell, or the points.
function taskOf(detail: string | undefined, view: View): Task | undefined {
  if (detail === "points") return { kind: "points" };
  const [x, y] = /^-?\d{1,4}(,-?\d{1,4})?$/.test(detail ?? "") ? (detail ?? "").split(",").map(Number) : [];
  if (x === undefined) return undefined;
  const number = y === undefined ? x : turnAt(view, { x, y });
  if (number > 0) return { kind: "turn", number };
  return y === undefined || view.tiles.some((tile) => sameCell(tile.cell, { x, y })) ? undefined : { kind: "new", cell: { x, y } };
}

// Everything still open scores, and nothing else changes.
const endOf = (view: View): View => ({
  ...view,
  players: view.players.map((player) => ({ ...player, score: player.liveScore })),
});

function title(task: Task | undefined, texts: Texts): string {
  if (task?.kind === "turn") return texts.say("correct.turn", { turn: task.number });
  return texts.say(task ? (`correct.title.${task.kind}` as const) : "correct.title");
}

interface DecisionProps {
  view: View;
  // As it would be; undefined while nothing is changed or it is not known yet.
  after: View | undefined;
  waiting: boolean;
  refused: string | undefined;
  ready: boolean;
  // Nothing is changed, and it is right that way.
  onConfirm?: () => void;
  onDo: () => void;
  onLeave: () => void;
}

function Decision({ view, after, waiting, refused, ready, onConfirm, onDo, onLeave }: DecisionProps) {
  const texts = useTexts();
  return (
    <div class="decision">
      <div role="status" data-preview={refused ? "refused" : after ? "ready" : waiting ? "waiting" : "none"}>
        {refused ? (
          <p class="refused" dir="auto">{refused}</p>
        ) : after ? (
          <>
            <h3>{texts.say("change.title")}</h3>
            <DifferenceList before={view} after={after} />
          </>
        ) : null}
      </div>
      <div class="correct-buttons">
        <button type="button" class="wide-button quiet" onClick={onLeave}>
          {texts.say("correct.leave")}
        </button>
        {onConfirm ? (
          <button type="button" class="wide-button" onClick={onConfirm}>
            {texts.say("correct.right")}
          </button>
        ) : (
          <button type="button" class="wide-button" disabled={!ready || !after || refused !== undefined} onClick={onDo}>
            {texts.say("correct.do")}
          </button>
        )}
      </div>
    </div>
  );
}

interface TurnListProps {
  view: View;
  types: TileTypes;
  turns: readonly Turn[];
  onChoose: (number: number) => void;
}

// Every turn, newest first: for those who would rather choose from a list.
function TurnList({ view, types, turns, onChoose }: TurnListProps) {
  const texts = useTexts();
  return (
    <ul class="turn-list" aria-label={texts.say("correct.turns")}>
      {turns
        .map((turn, i) => (
          <li key={i}>
            <button type="button" class="turn-row" data-turn={i + 1} onClick={() => onChoose(i + 1)}>
              <TileThumb type={types.get(turn.tile)} rotation={turn.rotation} figure={turn.deployment && { colour: turn.colour, ...turn.deployment }} />
              <span>{texts.say("game.turn", { turn: i + 1 })}</span>
              <PlayerMark colour={turn.colour} />
              <span dir="auto">{playerName(texts, view, turn.colour)}</span>
            </button>
          </li>
        ))
        .reverse()}
    </ul>
  );
}
