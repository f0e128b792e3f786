import { useState } from "preact/hooks";
import { GamePhase, type GameSummary } from "../gen/tilewarden/v1/game_pb";
import { newRequestId, useServices, wordsOf } from "../live/client";
import { readTypes } from "../live/use_game";
import { viewOf } from "../model/view";
import { useTexts } from "../texts/texts";
import { AskTwice } from "./ask_twice";
import { ScorecardButton } from "./scorecard_button";

interface Props {
  game: GameSummary;
  mayDelete: boolean;
  onDone: () => void;
}

// A game's name, and where it is kept.
export function GameMenu({ game, mayDelete, onDone }: Props) {
  const texts = useTexts();
  const { game: client } = useServices();
  const [name, setName] = useState<string | undefined>();
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const shown = texts.game(game);
  const doing = async (what: Promise<unknown>) => {
    try {
      await what;
      setError(undefined);
      setName(undefined);
      onDone();
    } catch (failure) {
      setError(wordsOf(failure));
    }
  };
  const label = (change: { name?: string; archived?: boolean }) => doing(client.labelGame({ requestId: newRequestId(), gameId: game.gameId, ...change }));
  const read = async () => {
    const { state } = await client.getGame({ gameId: game.gameId });
    if (!state) throw new Error("no state");
    const view = viewOf(state);
    return { view, types: await readTypes(client, view) };
  };
  const rename = (event: Event) => {
    event.preventDefault();
    void label({ name: (name ?? game.name).trim() });
  };
  return (
    <details class="game-menu" data-menu={game.gameId}>
      <summary class="icon-button" aria-label={texts.say("tables.more", { game: shown })}>
        <svg viewBox="-10 -10 20 20" class="sign dots" aria-hidden="true"><circle cx="-6" r="1.6" /><circle r="1.6" /><circle cx="6" r="1.6" /></svg>
      </summary>
      <form onSubmit={rename}>
        <input type="text" maxLength={60} aria-label={texts.say("tables.name")} placeholder={shown} value={name ?? game.name} onInput={(e) => setName(e.currentTarget.value)} />
        <button type="submit" class="wide-button quiet" disabled={name === undefined}>{texts.say("tables.rename")}</button>
      </form>
      <button type="button" class="wide-button quiet" onClick={() => void label({ archived: !game.archived })}>{texts.say(game.archived ? "tables.bring.back" : "tables.archive")}</button>
      {game.phase !== GamePhase.WAITING && <ScorecardButton read={read} />}
      {mayDelete && (
        <AskTwice
          label={texts.say("tables.delete")}
          which={texts.say("tables.delete.which", { game: shown })}
          sure={texts.say("tables.delete.sure")}
          yes={texts.say("tables.delete.yes")}
          asked={asked}
          onAsk={setAsked}
          onSure={() => {
            setAsked(false);
            void doing(client.deleteGame({ gameId: game.gameId }));
          }}
        />
      )}
      {error && <p class="refused" role="alert" dir="auto">{error}</p>}
    </details>
  );
}
