import { lookOf } from "../../draw/colours";
import { PlayerMark } from "../../draw/figure";
import type { View } from "../../model/view";
import { useTexts } from "../../texts/texts";

// Everybody's points as bars that grow; `most` fills one.
export function Race({ view, most }: { view: View; most: number }) {
  const texts = useTexts();
  return (
    <ol class="race" aria-label={texts.say("replay.race")}>
      {view.players.map(({ colour, score, ...player }) => (
        <li key={colour} class={`${lookOf(colour).className}${view.winners.includes(colour) ? " wins" : ""}`} data-race={colour}>
          <PlayerMark colour={colour} />
          <span class="race-name" dir="auto">{texts.player({ colour, score, ...player })}</span>
          <b>{score}</b>
          <span class="race-lane" aria-hidden="true">
            <span class="race-bar" style={{ transform: `scaleX(${Math.max(0, score) / Math.max(1, most)})` }} />
          </span>
        </li>
      ))}
    </ol>
  );
}
