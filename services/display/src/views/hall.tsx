import "../styles/hall.css";
import { useEffect, useState } from "preact/hooks";
import { BoardPicture } from "../board/picture";
import { PlayerMark } from "../draw/figure";
import { lookOf } from "../draw/colours";
import { GamePhase, RefereeStep, type GameSummary } from "../gen/tilewarden/v1/game_pb";
import { untilDone, useServices } from "../live/client";
import { useChime } from "../live/use_chime";
import { useCalling, type Calling } from "../live/use_call";
import { useTileTypes } from "../live/use_game";
import { useGames } from "../live/use_games";
import { useHidden, type Hidden } from "../live/use_hidden";
import { useNow } from "../live/use_now";
import { clockFace, leftMs, playedMs, queueOf, turnMs, type Waiting } from "../model/hall";
import { viewOf, type View } from "../model/view";
import { addressOf } from "../route";
import { useTexts, type Texts } from "../texts/texts";
import { comerOf } from "./call";
import { foremost } from "./findings";
import { LeaveDevice } from "./leave";

const MOST_TABLES = 12;

// Many tables on a wall: each with its board, its scores, its clock and what needs fixing; and who
// waits for a referee.
export function Hall({ mayAnswer, sound }: { mayAnswer: boolean; sound: boolean }) {
  const texts = useTexts();
  const { game } = useServices();
  const { games, failed, again, aheadMs } = useGames(game, true);
  const calling = useCalling(again);
  const hidden = useHidden();
  const now = useNow() + aheadMs;
  const open = (games ?? []).filter(({ phase }) => phase !== GamePhase.ENDED);
  const visible = open.filter(({ gameId }) => !hidden.has(gameId));
  const shown = visible.slice(0, MOST_TABLES);
  // A game that has ended may be called for, too: its scores are in doubt.
  const queue = queueOf((games ?? []).filter(({ gameId }) => !hidden.has(gameId)));
  useChime(sound, queue.filter(({ coming }) => !coming).map(({ game: { gameId }, called }) => `${gameId}${called ? "!" : ""}`));
  return (
    <main class="hall" data-count={shown.length} tabIndex={0}>
      <h1 class="for-listeners">{texts.say("tables.title")}</h1>
      <div class="hall-top">
        {failed && <p class="link-stale link" role="status">{texts.say("link.stale")}</p>}
        {games && shown.length === 0 && <p class="empty">{texts.say(open.length > 0 ? "hall.all.hidden" : "tables.none")}</p>}
        {games && (queue.length > 0 || mayAnswer) && <Queue queue={queue} now={now} calling={calling} mayAnswer={mayAnswer} />}
      </div>
      <ul class="hall-tables">
        {shown.map((summary) => (
          <HallTable key={summary.gameId} summary={summary} now={now} onHide={() => hidden.hide(summary.gameId)} />
        ))}
      </ul>
      <Foot tables={visible} hiddenTables={open.filter(({ gameId }) => hidden.has(gameId))} hidden={hidden} calling={calling} mayAnswer={mayAnswer} />
    </main>
  );
}

interface QueueProps {
  queue: readonly Waiting[];
  now: number;
  calling: Calling;
  mayAnswer: boolean;
}

function Queue({ queue, now, calling, mayAnswer }: QueueProps) {
  const texts = useTexts();
  return (
    <section class="hall-queue" aria-labelledby="hall-queue-title">
      <h2 id="hall-queue-title">{texts.say(queue.length > 0 ? "hall.queue" : "hall.queue.none")}</h2>
      {calling.error && <p class="refused" role="alert" dir="auto">{calling.error}</p>}
      {queue.length > 0 && (
        <ol>
          {queue.map((waiting) => (
            <Wait key={waiting.game.gameId} waiting={waiting} now={now} calling={calling} mayAnswer={mayAnswer} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Wait({ waiting, now, calling, mayAnswer }: { waiting: Waiting; now: number; calling: Calling; mayAnswer: boolean }) {
  const texts = useTexts();
  const { game, called, coming, sinceMs } = waiting;
  const name = texts.game(game);
  const answer = (step: RefereeStep) => void calling.answer(game.gameId, step);
  const button = (step: RefereeStep, key: "hall.coming" | "hall.not-coming" | "hall.done", quiet: boolean) => (
    <button type="button" class={`wide-button${quiet ? " quiet" : ""}`} disabled={calling.busy} aria-label={texts.named(name, texts.say(key))} onClick={() => answer(step)}>
      {texts.say(key)}
    </button>
  );
  return (
    <li class={`hall-wait${called ? " is-called" : ""}${coming ? " is-coming" : ""}`} data-wait={game.gameId}>
      <a href={addressOf({ view: "board", gameId: game.gameId })}>
        <b dir="auto">{name}</b>
        <time>
          <span class="for-listeners">{texts.say("hall.waits")} </span>
          {clockFace(Math.max(0, now - sinceMs))}
        </time>
        <span class="hall-why" dir="auto">{whyOf(texts, waiting).join(" · ")}</span>
      </a>
      {mayAnswer && (
        <div class="hall-answers">
          {!coming && button(RefereeStep.COMING, "hall.coming", false)}
          {coming && button(RefereeStep.DONE, "hall.done", false)}
          {coming && button(RefereeStep.NOT_COMING, "hall.not-coming", true)}
        </div>
      )}
    </li>
  );
}

// Why somebody is wanted there, and who comes.
function whyOf(texts: Texts, { game, called, coming, referee }: Waiting): string[] {
  const why = called ? [texts.say("hall.called")] : [];
  if (game.openFindings > 0) why.push(texts.count("tables.findings", game.openFindings));
  if (game.openQuestions > 0) why.push(texts.count("question.open", game.openQuestions));
  if (coming) why.push(comerOf(texts, referee));
  return why;
}

// What is wrong; the table itself says how to fix it. A colour in front ("Red: ...")
// is not yet what is wrong.
export const briefly = (sentence: string): string => /^[^ ]+ .*?(?=\s?[:.])/.exec(sentence)?.[0] ?? sentence;

function HallTable({ summary, now, onHide }: { summary: GameSummary; now: number; onHide: () => void }) {
  const texts = useTexts();
  const { game } = useServices();
  const [view, setView] = useState<View | undefined>();
  const types = useTileTypes(game, view);
  const { gameId, turn, phase, openFindings, eventNumber, clock, toMove } = summary;
  // Only when something happened there.
  useEffect(
    () => untilDone((signal) => game.getGame({ gameId }, { signal }), ({ state }) => state && setView(viewOf(state))),
    [gameId, eventNumber],
  );
  const name = texts.game(summary);
  const finding = view && foremost(view.findings);
  return (
    <li class={`hall-table${openFindings > 0 ? " has-finding" : ""}${summary.call ? " has-call" : ""}`} data-game={gameId}>
      <h2>
        <a href={addressOf({ view: "board", gameId })} dir="auto">{name}</a>
        <small>{phase === GamePhase.WAITING ? texts.say("game.waiting") : texts.say("game.turn", { turn })}</small>
        <button type="button" class="icon-button hall-hide" aria-label={texts.say("hall.hide", { table: name })} title={texts.say("hall.hide", { table: name })} onClick={onHide}>
          <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true"><path d="M-5 -5L5 5M5 -5L-5 5" /></svg>
        </button>
      </h2>
      <div class="hall-board">{view && view.tiles.length > 0 && <BoardPicture view={view} types={types} />}</div>
      {openFindings > 0 && <p class="hall-finding">{finding ? briefly(texts.finding(finding)) : texts.count("tables.findings", openFindings)}</p>}
      <ul class="hall-players">
        {summary.players.map((player) => {
          const left = leftMs(clock, player.colour, toMove, now);
          return (
            <li key={player.colour} class={`${lookOf(player.colour).className}${toMove === player.colour ? " to-move" : ""}`}>
              <PlayerMark colour={player.colour} />
              <span dir="auto">{texts.player(player)}</span>
              <b>{player.score}</b>
              {left !== undefined && <time class={left < 0 ? "is-over" : undefined}>{clockFace(left)}</time>}
            </li>
          );
        })}
      </ul>
      {playedMs(clock, now) > 0 && (
        <p class="hall-clocks">
          <span>{texts.say("hall.clock.turn")} <time data-clock="turn">{clockFace(turnMs(clock, now))}</time></span>
          <span>{texts.say("hall.clock.game")} <time data-clock="game">{clockFace(playedMs(clock, now))}</time></span>
        </p>
      )}
    </li>
  );
}

// For each player of a game, in minutes.
const LIMITS_MIN = [10, 15, 20, 25, 30, 45, 60] as const;
const MIXED = "mixed";

interface FootProps {
  // Shown here, and not.
  tables: readonly GameSummary[];
  hiddenTables: readonly GameSummary[];
  hidden: Hidden;
  calling: Calling;
  mayAnswer: boolean;
}

function Foot({ tables, hiddenTables, hidden, calling, mayAnswer }: FootProps) {
  const texts = useTexts();
  const limits = new Set(tables.map(({ clock }) => Math.round(Number(clock?.limitMs ?? 0n) / 60_000)));
  const limit = limits.size === 1 ? [...limits][0] : undefined;
  const choices = limit === undefined || limit === 0 || LIMITS_MIN.some((min) => min === limit) ? LIMITS_MIN : [...LIMITS_MIN, limit];
  return (
    <footer class="hall-foot">
      {hiddenTables.length > 0 && (
        <p class="hall-hidden">
          <span>{texts.say("hall.hidden")}</span>
          {hiddenTables.map((table) => {
            const name = texts.game(table);
            return (
              <button key={table.gameId} type="button" class="option" data-hidden={table.gameId} aria-label={texts.say("hall.show", { table: name })} onClick={() => hidden.show(table.gameId)}>
                <span dir="auto">{name}</span>
                {queueOf([table]).length > 0 && <b>{texts.say("hall.hidden.waits")}</b>}
              </button>
            );
          })}
        </p>
      )}
      {mayAnswer && tables.length > 0 && (
        <label class="hall-limit">
          <span>{texts.say("hall.limit")}</span>
          <select
            value={limit === undefined ? MIXED : String(limit)}
            disabled={calling.busy}
            onChange={(e) => e.currentTarget.value !== MIXED && void calling.limit(tables.map(({ gameId }) => gameId), Number(e.currentTarget.value) * 60)}
          >
            {limit === undefined && <option value={MIXED}>{texts.say("hall.limit.mixed")}</option>}
            <option value="0">{texts.say("hall.limit.none")}</option>
            {choices.map((min) => <option key={min} value={String(min)}>{texts.say("hall.limit.minutes", { count: min })}</option>)}
          </select>
        </label>
      )}
      <nav class="hall-ways" aria-label={texts.say("nav.label")}>
        <a class="wide-button quiet" href={addressOf({ view: "tables", gameId: "" })}>{texts.say("hall.list")}</a>
        <LeaveDevice />
      </nav>
    </footer>
  );
}
