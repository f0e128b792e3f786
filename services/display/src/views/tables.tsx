import { useState } from "preact/hooks";
import { PlayerMark } from "../draw/figure";
import { GamePhase } from "../gen/tilewarden/v1/game_pb";
import { useServices } from "../live/client";
import { useGames, type Wanted } from "../live/use_games";
import { addressOf } from "../route";
import { useTexts } from "../texts/texts";
import { GameMenu } from "./game_menu";
import { Join } from "./join";

interface Props {
  gameId: string | undefined;
  spectator: boolean;
  // Whether games may be deleted from here.
  mayOwn: boolean;
}

// Every table, live: who plays, how it stands, and a way in.
export function Tables({ gameId, spectator, mayOwn }: Props) {
  const texts = useTexts();
  const { game: client } = useServices();
  const [wanted, setWanted] = useState<Wanted>({ archived: false, find: "" });
  const { games, failed, warnings, again } = useGames(client, true, wanted);
  const phases = {
    [GamePhase.UNSPECIFIED]: "tables.waiting",
    [GamePhase.WAITING]: "tables.waiting",
    [GamePhase.PLAYING]: "tables.playing",
    [GamePhase.ENDED]: "tables.ended",
  } as const;
  return (
    <main class="tables-view">
      <div class="tables-head">
        <h2>{texts.say("tables.title")}</h2>
        <a class="wide-button quiet" href={addressOf({ view: "camera", gameId: gameId ?? "" })}>{texts.say("camera.title")}</a>
        {!spectator && <a class="wide-button quiet" href={addressOf({ view: "tiles", gameId: gameId ?? "" })}>{texts.say("tiles.link")}</a>}
        <a class="wide-button quiet" href={addressOf({ view: "players", gameId: "" })}>{texts.say("people.title")}</a>
        <a class="wide-button quiet" href={addressOf({ view: "hall", gameId: "" })}>{texts.say("tables.hall")}</a>
        {!spectator && <a class="wide-button" href={addressOf({ view: "new", gameId: "" })}>{texts.say("tables.new")}</a>}
      </div>
      {warnings.map((warning) => <p key={warning} class="refused" role="alert" dir="auto">{warning}</p>)}
      <div class="tables-find">
        <input type="search" maxLength={60} aria-label={texts.say("tables.find")} placeholder={texts.say("tables.find")} value={wanted.find} onInput={(e) => setWanted({ ...wanted, find: e.currentTarget.value.trim() })} />
        <button type="button" class="option" aria-pressed={wanted.archived} onClick={() => setWanted({ ...wanted, archived: !wanted.archived })}>{texts.say("tables.archived")}</button>
      </div>
      <Join />
      {failed && <p class="empty" role="status">{texts.say("tables.error")}</p>}
      {games?.length === 0 && <p class="empty">{texts.say(wanted.find ? "tables.none.found" : wanted.archived ? "tables.none.archived" : "tables.none")}</p>}
      <ul>
        {games?.map((game) => (
          <li key={game.gameId}>
            <a
              class="table"
              data-game={game.gameId}
              href={addressOf({ view: "board", gameId: game.gameId })}
              aria-current={game.gameId === gameId ? "true" : undefined}
            >
              <span class="table-name" dir="auto">{texts.game(game)}</span>
              <span class={`table-phase phase-${game.phase}`}>{texts.say(phases[game.phase])}</span>
              <span class="table-facts">
                {texts.say("game.turn", { turn: game.turn })} · {new Date(Number(game.createdMs)).toLocaleString(texts.language, { dateStyle: "medium", timeStyle: "short" })}
                {game.openFindings > 0 && <b> · {texts.count("tables.findings", game.openFindings)}</b>}
              </span>
              <span class="table-players">
                {game.players.map((player) => (
                  <span key={player.colour}>
                    <PlayerMark colour={player.colour} />
                    <span dir="auto">{texts.player(player)}</span> <b>{player.score}</b>
                  </span>
                ))}
              </span>
            </a>
            {!spectator && <GameMenu game={game} mayDelete={mayOwn} onDone={again} />}
          </li>
        ))}
      </ul>
    </main>
  );
}
