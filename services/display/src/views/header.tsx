import { GamePhase } from "../gen/tilewarden/v1/game_pb";
import type { LiveGame } from "../live/use_game";
import type { Link } from "../live/watcher";
import { tilesLeftTotal } from "../model/view";
import { addressOf, type Route } from "../route";
import { useTexts } from "../texts/texts";
import { usePatientLink } from "./alerts";

const TABS = ["board", "scores", "timeline", "correct", "tables"] as const;

// A longer one takes two lines.
const LONG_NAME = 20;

interface Props {
  route: Route;
  game: LiveGame;
  spectator: boolean;
  onSettings: () => void;
}

export function Header({ route, game, spectator, onSettings }: Props) {
  const texts = useTexts();
  const { view } = game;
  // Who may only watch sees the board in place of what would change it.
  const name = view ? texts.game(view) : texts.say("title");
  const questions = view?.questions.length ?? 0;
  const shown = spectator && route.view === "correct" ? "board" : route.view;
  return (
    <header class="header">
      <h1 class={`game-name${name.length > LONG_NAME ? " is-long" : ""}`} dir="auto" title={name}>{name}</h1>
      {view && (
        <p class="facts">
          <span>
            {view.phase === GamePhase.ENDED
              ? texts.say("game.over")
              : view.phase === GamePhase.WAITING
                ? texts.say("game.waiting")
                : texts.say("game.turn", { turn: view.turn })}
          </span>
          {view.phase !== GamePhase.WAITING && view.phase !== GamePhase.ENDED && (
            <span data-tiles-left={tilesLeftTotal(view)}>
              <span class="when-wide">{texts.count("tiles.left", tilesLeftTotal(view))}</span>
              <span class="when-narrow">{texts.say("tiles.left.short", { count: tilesLeftTotal(view) })}</span>
            </span>
          )}
        </p>
      )}
      {spectator && <p class="spectator">{texts.say("spectator")}</p>}
      <LinkMark link={game.link} />
      <nav aria-label={texts.say("nav.label")}>
        {TABS.filter((name) => !spectator || name !== "correct").map((name) => (
          <a
            key={name}
            href={addressOf({ view: name, gameId: route.gameId })}
            aria-current={shown === name || (name === "timeline" && shown === "replay") || (name === "tables" && ["new", "camera", "tiles", "enrol", "calibrate"].includes(shown)) ? "page" : undefined}
          >
            <NavSign name={name} />
            <span>{texts.say(`nav.${name}`)}</span>
            {name === "board" && questions > 0 && (
              <span class="nav-badge" data-questions={questions}>
                <span aria-hidden="true">{`${questions} ?`}</span>
                <span class="for-listeners">{texts.count("question.open", questions)}</span>
              </span>
            )}
          </a>
        ))}
        <button type="button" onClick={onSettings} aria-label={texts.say("nav.settings")} title={texts.say("nav.settings")}>
          <svg viewBox="-12 -12 24 24" class="sign" aria-hidden="true">
            <path d="M-9 -5H1M7 -5H9M-9 5H-7M-1 5H9" />
            <circle cx="4" cy="-5" r="3" />
            <circle cx="-4" cy="5" r="3" />
          </svg>
        </button>
      </nav>
    </header>
  );
}

const SIGNS: Record<(typeof TABS)[number], string> = {
  board: "M-8 -8H-1V-1H-8ZM1 -8H8V-1H1ZM-8 1H-1V8H-8ZM1 1H8V8H1Z",
  scores: "M-7 8V-1M0 8V-8M7 8V3",
  timeline: "M-9 0H9M-5 -3V3M1 -5V5M7 -3V3",
  tables: "M-8 -6H8M-8 0H8M-8 6H8",
  correct: "M-8 8L-7 3L4 -8L8 -4L-3 7ZM1 -5L5 -1",
};

const NavSign = ({ name }: { name: keyof typeof SIGNS }) => (
  <svg viewBox="-12 -12 24 24" class="sign" aria-hidden="true">
    <path d={SIGNS[name]} />
  </svg>
);

function LinkMark({ link }: { link: Link }) {
  const texts = useTexts();
  const shown = usePatientLink(link);
  return (
    <p class={`link link-${shown}`} data-link={link} role="status">
      <span class="link-dot" aria-hidden="true" />
      <span class="link-word">{texts.say(`link.${shown}`)}</span>
    </p>
  );
}
