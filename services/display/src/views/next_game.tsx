import { useState } from "preact/hooks";
import { PlayerMark } from "../draw/figure";
import { newRequestId, useServices, wordsOf } from "../live/client";
import { nextPlayers } from "../model/new_game";
import type { View } from "../model/view";
import { addressOf } from "../route";
import { useTexts } from "../texts/texts";
import { playerName } from "./words";

interface Props {
  view: View;
  label: "final.again" | "question.cleared.again";
  disabled?: boolean;
  // What comes first; false: it was not done, and no game begins.
  before?: () => Promise<boolean>;
}

// One touch to the next game: the same box, rules and players; whoever comes after the
// player who began this one begins. The camera goes over to it.
export function NextGame({ view, label, disabled = false, before }: Props) {
  const texts = useTexts();
  const { game } = useServices();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  const players = nextPlayers(view.players);
  const first = players[0];
  const begin = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      if (before && !(await before())) return;
      const { state } = await game.getGame({ gameId: view.gameId });
      if (!state) return;
      const next = await game.createGame({
        requestId: newRequestId(),
        name: state.name,
        tileSet: state.tileSet,
        // These are all of the options, so that it is the same whose others would be.
        preset: "c1",
        rules: state.rules,
        players: players.map(({ colour, name }) => ({ colour, name: name === colour ? "" : name })),
        placeStartTile: state.byHand,
        byHand: state.byHand,
      });
      location.hash = addressOf({ view: "board", gameId: next.state?.gameId ?? "" });
    } catch (failure) {
      setProblem(wordsOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" class="wide-button next-game" data-next-game disabled={disabled || busy} onClick={() => void begin()}>
        {first && <PlayerMark colour={first.colour} />}
        <span dir="auto">{first ? texts.say(label, { name: playerName(texts, view, first.colour) }) : texts.say(`${label}.nobody`)}</span>
      </button>
      {problem && <p class="refused" role="alert" dir="auto">{problem}</p>}
    </>
  );
}
