import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "../board/board";
import type { Lit } from "../board/marks";
import type { ScoreItem } from "../gen/tilewarden/v1/game_pb";
import { useServices } from "../live/client";
import type { TileTypes } from "../live/use_game";
import { useHistory } from "../live/use_history";
import type { View } from "../model/view";
import { addressOf } from "../route";
import { useTexts } from "../texts/texts";
import { ScoreChart } from "./chart";
import { lazy } from "./lazy";
import { Players } from "./players";
import { Points } from "./points";
import { Scrubber } from "./scrubber";

const Clips = lazy(() => import("./story/story").then((module) => module.Clips), "nothing");
const Export = lazy(() => import("./story/story").then((module) => module.Export), "word");

const NO_INSETS = { top: 8, right: 8, bottom: 8, left: 8 };
const STEP_MS = 900;

interface Props {
  view: View;
  types: TileTypes;
  // Whoever may correct turns may look at what was disputed.
  mayChange: boolean;
}

// The game from its start: scrub, step or play.
export function Timeline({ view, types, mayChange }: Props) {
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
        <Scrubber
          at={at}
          last={last}
          playing={playing}
          words={texts.say("timeline.turn", { turn: moment.turn, turns: view.turn })}
          onGo={(to) => {
            setPlaying(false);
            go(to);
          }}
          onPlay={play}
        />
      </div>
      <aside class="side">
        <Players view={moment.view} />
        <section class="card chart-card" aria-label={texts.say("timeline.chart")}>
          <ScoreChart view={view} at={moment.turn} />
          <a class="wide-button quiet" href={addressOf({ view: "replay", gameId: view.gameId })}>{texts.say("replay.title")}</a>
          <details>
            <summary>{texts.say("export.title")}</summary>
            <Export view={view} types={types} />
          </details>
        </section>
        {mayChange && <Clips view={view} types={types} />}
        <Points view={moment.view} chosen={item} onChoose={setItem} />
      </aside>
    </main>
  );
}
