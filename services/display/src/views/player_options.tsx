import { PlayerMark } from "../draw/figure";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";

interface Props {
  view: View;
  // What is asked.
  legend: string;
  // Colour of who is chosen.
  chosen: string;
  onChoose: (colour: string) => void;
}

// One of the players.
export function PlayerOptions({ view, legend, chosen, onChoose }: Props) {
  const texts = useTexts();
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="options">
        {view.players.map((player) => (
          <button
            key={player.colour}
            type="button"
            class="option"
            aria-pressed={player.colour === chosen}
            data-colour={player.colour}
            onClick={() => onChoose(player.colour)}
          >
            <PlayerMark colour={player.colour} />
            <span dir="auto">{texts.player(player)}</span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}
