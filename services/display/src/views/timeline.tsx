import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "../board/board";
import type { Lit } from "../board/marks";
import type { ScoreItem } from "../gen/tilewarden/v1/game_pb";
import { useServices } from "../live/client";
import type { TileTypes } from "../live/use_game";
import { useHistory } from "../live/use_history";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { ScoreChart } from "./chart";
import { Export } from "./export";
import { Players } from "./players";
import { Points } from "./points";

const NO_INSETS = { top: 8, right: 8, bottom: 8, left: 8 };
const STEP_MS = 900;

// The game from its start: scrub, step or play.
export function Timeline({ view, types }: { view: View; types: TileTypes }) {
  const texts = useTexts();
  const { game } = useServices();
  const moments = useHistory(game, view);
  // Undefined: the present, and it stays with it.
  const [chosen, setChosen] = useState<number | undefined>();
  const [playing, setPlaying] = useState(false);
  const [item, setItem] = useState<ScoreItem | undefined>();
  const lit = useMemo<Lit | undefined>(() => item && item.cells.length > 0 ? { cells: item.cells, tone: "points" } : undefined, [item]);
  const last = moments.length - 1;
  const at = Math.min(chosen ?? last, last);
  const moment = moments[at];

  const go = (to: number) => {
    setItem(undefined);
    setChosen(to >= last ? undefined : Math.max(0, to));
  };
  useEffect(() => {
    if (!playing) return;
    if (at >= last) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => go(at + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, at, last]);

  if (!moment) {
    return (
      <main class="no-game">
        <p>{texts.say("timeline.loading")}</p>
      </main>
    );
  }
  const play = () => {
    if (!playing && at >= last) setChosen(0);
    setPlaying(!playing);
  };
  return (
    <main class="board-view timeline-view">
      <div class="timeline-board">
        <Board view={moment.view} types={types} lit={lit} insets={NO_INSETS} />
        <div class="scrubber">
          <button type="button" onClick={() => go(at - 1)} disabled={at === 0} aria-label={texts.say("timeline.back")}>
            <Sign d="M4 -7L-5 0L4 7" />
          </button>
          <button type="button" class="play" onClick={play} aria-label={texts.say(playing ? "timeline.pause" : "timeline.play")}>
            <Sign d={playing ? "M-4 -7V7M4 -7V7" : "M-5 -8L8 0L-5 8Z"} />
          </button>
          <button type="button" onClick={() => go(at + 1)} disabled={at >= last} aria-label={texts.say("timeline.forward")}>
            <Sign d="M-4 -7L5 0L-4 7" />
          </button>
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            aria-label={texts.say("timeline.slider")}
            aria-valuetext={texts.say("timeline.turn", { turn: moment.turn, turns: view.turn })}
            onInput={(e) => {
              setPlaying(false);
              go(Number(e.currentTarget.value));
            }}
          />
          <output>{texts.say("timeline.turn", { turn: moment.turn, turns: view.turn })}</output>
        </div>
      </div>
      <aside class="side">
        <Players view={moment.view} />
        <section class="card chart-card" aria-label={texts.say("timeline.chart")}>
          <ScoreChart view={view} at={moment.turn} />
          <details>
            <summary>{texts.say("export.title")}</summary>
            <Export view={view} types={types} />
          </details>
        </section>
        <Points view={moment.view} chosen={item} onChoose={setItem} />
      </aside>
    </main>
  );
}

const Sign = ({ d }: { d: string }) => (
  <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true">
    <path d={d} />
  </svg>
);
