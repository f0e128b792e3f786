import { PlayerMark } from "../draw/figure";
import { lookOf } from "../draw/colours";
import { GamePhase } from "../gen/tilewarden/v1/game_pb";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { foremost, toneOf } from "./findings";

// For streaming software: nothing but scores, the last points and findings, on
// a transparent page. ?layout=column stacks the players.
export function Overlay({ view, layout }: { view: View; layout: "row" | "column" }) {
  const texts = useTexts();
  const finding = foremost(view.findings);
  const fresh = view.last?.items ?? [];
  return (
    <main class={`overlay overlay-${layout}`}>
      <h1 class="for-listeners">{view.name || texts.say("game.unnamed")}</h1>
      <ol>
        {view.players.map((player) => {
          const gained = fresh.filter((item) => item.colour === player.colour).reduce((sum, item) => sum + item.points, 0);
          const toMove = view.phase !== GamePhase.ENDED && view.toMove === player.colour;
          return (
            <li key={player.colour} class={`${lookOf(player.colour).className}${toMove ? " to-move" : ""}`}>
              <PlayerMark colour={player.colour} />
              <span class="overlay-name" dir="auto">{texts.player(player)}</span>
              <b>{player.score}</b>
              {gained > 0 && <em>{`+${gained}`}</em>}
            </li>
          );
        })}
      </ol>
      {finding ? (
        <p class={`overlay-line banner-${toneOf(finding)}`}>{texts.finding(finding)}</p>
      ) : (
        fresh.map((item, i) => <p key={i} class="overlay-line">{texts.reason(item)}</p>)
      )}
    </main>
  );
}
