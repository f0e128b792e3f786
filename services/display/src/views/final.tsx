import { useEffect, useState } from "preact/hooks";
import { PlayerMark } from "../draw/figure";
import type { ScoreItem } from "../gen/tilewarden/v1/game_pb";
import { speaker } from "../live/speech";
import type { TileTypes } from "../live/use_game";
import type { Fed } from "../model/farms";
import type { View } from "../model/view";
import { addressOf } from "../route";
import { wantsCalm } from "../settings";
import { useTexts } from "../texts/texts";
import { NextGame } from "./next_game";
import { ScorecardButton } from "./scorecard_button";
import { spokenItem } from "./spoken";

interface Props {
  view: View;
  types: TileTypes;
  // The final scoring, in the order in which it is shown.
  items: readonly ScoreItem[];
  // Items of the final scoring shown so far; undefined: the result.
  step: number | undefined;
  // What the step's farm feeds.
  fed: Fed | undefined;
  onStep: (step: number | undefined) => void;
  // Nothing may be changed from here.
  spectator: boolean;
}

// Long enough to find on the board what is told.
const STEP_MS = 4_000;
// When a farm's first city lights up, and each one after it; styles/board.css keeps the same time.
const FIRST_CITY_MS = 700;
const CITY_MS = 650;
// To look at the whole of it.
const LOOK_MS = 2_200;

// The end of a game: who won, and on request the final scoring item by item.
export function Final({ view, types, items, step, fed, onStep, spectator }: Props) {
  const texts = useTexts();
  const [playing, setPlaying] = useState(true);
  const next = step !== undefined && step < items.length ? step + 1 : undefined;
  const cities = fed?.cities.length ?? 0;
  useEffect(() => {
    if (step === undefined || !playing) return;
    const timer = setTimeout(() => onStep(next), Math.max(STEP_MS, FIRST_CITY_MS + cities * CITY_MS + LOOK_MS));
    return () => clearTimeout(timer);
  }, [step, playing, cities]);
  const lit = useCitiesLit(step, cities);
  const item = step === undefined ? undefined : items[step - 1];
  useEffect(() => {
    if (item) speaker.say(spokenItem(item, view, texts));
  }, [item]);
  const winners = view.players.filter((player) => view.winners.includes(player.colour));
  const names = texts.list(winners.map((player) => texts.player(player)));
  if (step === undefined) {
    return (
      <section class="final" aria-labelledby="final-title">
        <h2 id="final-title">{texts.say("final.title")}</h2>
        <p class="final-winner">
          {winners.map((player) => (
            <PlayerMark key={player.colour} colour={player.colour} />
          ))}
          <strong dir="auto">{texts.say(winners.length > 1 ? "final.winners" : "final.winner", { names })}</strong>
        </p>
        {view.correctedAfterEnd > 0 && <p class="final-corrected">{texts.say("final.corrected")}</p>}
        {!spectator && <NextGame view={view} label="final.again" />}
        <div class="final-more">
          {items.length > 0 && (
            <button
              type="button"
              class="wide-button quiet"
              onClick={() => {
                setPlaying(true);
                onStep(1);
              }}
            >
              {texts.say("final.show")}
            </button>
          )}
          <a class="wide-button quiet" href={addressOf({ view: "scores", gameId: view.gameId })}>
            {texts.say("sheet.title")}
          </a>
          <ScorecardButton read={() => Promise.resolve({ view, types })} />
          <a class="wide-button quiet" href={addressOf({ view: "replay", gameId: view.gameId })}>
            {texts.say("replay.title")}
          </a>
          {!spectator && (
            <a class="wide-button quiet" href={addressOf({ view: "correct", gameId: view.gameId })}>
              {texts.say("final.correct")}
            </a>
          )}
        </div>
      </section>
    );
  }
  const player = view.players.find((p) => p.colour === item?.colour);
  // Grows with the cities, for those who watch; who listens hears the whole.
  const soFar = item && fed?.each ? fed.each * lit : item?.points;
  return (
    <section class="final" aria-labelledby="final-title">
      <h2 id="final-title">
        {texts.say("final.title")} <small>{`${step} / ${items.length}`}</small>
      </h2>
      {item && (
        <p class="final-item" aria-live="polite">
          <PlayerMark colour={item.colour} />
          <strong aria-hidden="true">{`+${soFar}`}</strong>
          <span class="for-listeners">{texts.count("points.value", item.points, { points: item.points })}</span>
          <span dir="auto">{texts.named(texts.player(player), texts.reason(item))}</span>
        </p>
      )}
      <div class="final-buttons">
        <button type="button" class="wide-button quiet" onClick={() => onStep(undefined)}>
          {texts.say("final.stop")}
        </button>
        <button type="button" class="wide-button quiet" onClick={() => setPlaying(!playing)}>
          {texts.say(playing ? "timeline.pause" : "timeline.play")}
        </button>
        <button type="button" class="wide-button" onClick={() => onStep(next)}>
          {texts.say("final.next")}
        </button>
      </div>
    </section>
  );
}

// How many of a farm's cities are lit by now.
function useCitiesLit(step: number | undefined, cities: number): number {
  const [lit, setLit] = useState(0);
  useEffect(() => {
    if (wantsCalm()) {
      setLit(cities);
      return;
    }
    setLit(0);
    const timers = Array.from({ length: cities }, (_, i) => setTimeout(() => setLit(i + 1), FIRST_CITY_MS + i * CITY_MS));
    return () => timers.forEach(clearTimeout);
  }, [step, cities]);
  return lit;
}
