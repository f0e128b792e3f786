import { PlayerMark } from "../draw/figure";
import { GamePhase } from "../gen/tilewarden/v1/game_pb";
import { useServices } from "../live/client";
import { useGames } from "../live/use_games";
import { addressOf } from "../route";
import { useTexts } from "../texts/texts";
import { Join } from "./join";

// Every table, live: who plays, how it stands, and a way in.
export function Tables({ gameId, spectator }: { gameId: string | undefined; spectator: boolean }) {
  const texts = useTexts();
  const { game: client } = useServices();
  const { games, failed, warnings } = useGames(client, true);
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
        <a class="wide-button quiet" href={addressOf({ view: "hall", gameId: "" })}>{texts.say("tables.hall")}</a>
        {!spectator && <a class="wide-button" href={addressOf({ view: "new", gameId: "" })}>{texts.say("tables.new")}</a>}
      </div>
      {warnings.map((warning) => <p key={warning} class="refused" role="alert" dir="auto">{warning}</p>)}
      <Join />
      {failed && <p class="empty" role="status">{texts.say("tables.error")}</p>}
      {games?.length === 0 && <p class="empty">{texts.say("tables.none")}</p>}
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
          </li>
        ))}
      </ul>
    </main>
  );
}
