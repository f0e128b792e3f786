import { lookOf } from "../draw/colours";
import { PlayerMark } from "../draw/figure";
import type { ScoreItem } from "../gen/tilewarden/v1/game_pb";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { signed } from "./words";

interface Props {
  view: View;
  chosen: ScoreItem | undefined;
  onChoose: (item: ScoreItem | undefined) => void;
}

// Every point with its reason, newest first; a tap shows where.
export function Points({ view, chosen, onChoose }: Props) {
  const texts = useTexts();
  const items = view.scoreItems.filter((item) => item.points !== 0).reverse();
  return (
    <section class="points" aria-labelledby="points-title">
      <h2 id="points-title">{texts.say("points.title")}</h2>
      {items.length === 0 && <p class="empty">{texts.say("points.none")}</p>}
      <ul>
        {items.map((item, i) => {
          const player = view.players.find((p) => p.colour === item.colour);
          const isChosen = item === chosen;
          return (
            <li key={items.length - i}>
              <button
                type="button"
                class={`point ${lookOf(item.colour).className}${isChosen ? " chosen" : ""}${item.turn > 0 && item.turn === view.last?.turn ? " fresh" : ""}`}
                aria-pressed={isChosen}
                title={texts.say("points.show")}
                onClick={() => onChoose(isChosen ? undefined : item)}
              >
                <PlayerMark colour={item.colour} />
                <span class="point-value">
                  <span aria-hidden="true">{signed(item.points)}</span>
                  <span class="for-listeners">{texts.count("points.value", item.points, { points: item.points })}</span>
                </span>
                <span class="point-why">
                  <span class="point-reason" dir="auto">{texts.reason(item)}</span>
                  <span class="point-turn">
                    {`${texts.player(player) || texts.colour(item.colour)} · ${item.turn > 0 ? texts.say("points.turn", { turn: item.turn }) : texts.say("points.final")}`}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
