import { useEffect, useState } from "preact/hooks";
import { PlayerMark } from "../draw/figure";
import type { View } from "../model/view";
import { addressOf } from "../route";
import { useTexts } from "../texts/texts";
import { NextGame } from "./next_game";

interface Props {
  view: View;
  // Items of the final scoring shown so far; undefined: the result.
  step: number | undefined;
  onStep: (step: number | undefined) => void;
  // Nothing may be changed from here.
  spectator: boolean;
}

// Long enough to find on the board what is told.
const STEP_MS = 4_000;

// The end of a game: who won, and on request the final scoring item by item.
export function Final({ view, step, onStep, spectator }: Props) {
  const texts = useTexts();
  const items = view.scoreItems.filter((item) => item.turn === 0 && item.points !== 0);
  const [playing, setPlaying] = useState(true);
  const next = step !== undefined && step < items.length ? step + 1 : undefined;
  useEffect(() => {
    if (step === undefined || !playing) return;
    const timer = setTimeout(() => onStep(next), STEP_MS);
    return () => clearTimeout(timer);
  }, [step, playing]);
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
          {!spectator && (
            <a class="wide-button quiet" href={addressOf({ view: "correct", gameId: view.gameId })}>
              {texts.say("final.correct")}
            </a>
          )}
        </div>
      </section>
    );
  }
  const item = items[step - 1];
  const player = view.players.find((p) => p.colour === item?.colour);
  return (
    <section class="final" aria-labelledby="final-title">
      <h2 id="final-title">
        {texts.say("final.title")} <small>{`${step} / ${items.length}`}</small>
      </h2>
      {item && (
        <p class="final-item" aria-live="polite">
          <PlayerMark colour={item.colour} />
          <strong>{`+${item.points}`}</strong>
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
