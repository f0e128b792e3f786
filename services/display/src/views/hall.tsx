import { useEffect, useState } from "preact/hooks";
import { BoardPicture } from "../board/picture";
import { PlayerMark } from "../draw/figure";
import { lookOf } from "../draw/colours";
import { GamePhase, type GameSummary } from "../gen/tilewarden/v1/game_pb";
import { untilDone, useServices } from "../live/client";
import { useTileTypes } from "../live/use_game";
import { useGames } from "../live/use_games";
import { viewOf, type View } from "../model/view";
import { useTexts } from "../texts/texts";
import { foremost } from "./findings";

const MOST_TABLES = 12;

// Many tables on a wall: each with its board, its scores and what needs fixing.
export function Hall() {
  const texts = useTexts();
  const { game } = useServices();
  const { games, failed } = useGames(game, true);
  const shown = (games ?? []).filter(({ phase }) => phase !== GamePhase.ENDED).slice(0, MOST_TABLES);
  return (
    <main class="hall" data-count={shown.length} tabIndex={0}>
      <h1 class="for-listeners">{texts.say("tables.title")}</h1>
      {failed && <p class="link-stale link" role="status">{texts.say("link.stale")}</p>}
      {games && shown.length === 0 && <p class="empty">{texts.say("tables.none")}</p>}
      <ul>
        {shown.map((summary) => (
          <HallTable key={summary.gameId} summary={summary} />
        ))}
      </ul>
    </main>
  );
}

// What is wrong; the table itself says how to fix it. A colour in front ("Red: ...")
// is not yet what is wrong.
export const briefly = (sentence: string): string => /^[^ ]+ .*?(?=\s?[:.])/.exec(sentence)?.[0] ?? sentence;

function HallTable({ summary }: { summary: GameSummary }) {
  const texts = useTexts();
  const { game } = useServices();
  const [view, setView] = useState<View | undefined>();
  const types = useTileTypes(game, view);
  const { gameId, turn, phase, openFindings, eventNumber } = summary;
  // Only when something happened there.
  useEffect(
    () => untilDone((signal) => game.getGame({ gameId }, { signal }), ({ state }) => state && setView(viewOf(state))),
    [gameId, eventNumber],
  );
  const name = texts.game(summary);
  const finding = view && foremost(view.findings);
  return (
    <li class={`hall-table${openFindings > 0 ? " has-finding" : ""}`} data-game={gameId}>
      <h2>
        <span dir="auto">{name}</span>
        <small>{phase === GamePhase.WAITING ? texts.say("game.waiting") : texts.say("game.turn", { turn })}</small>
      </h2>
      <div class="hall-board">{view && view.tiles.length > 0 && <BoardPicture view={view} types={types} />}</div>
      {openFindings > 0 && <p class="hall-finding">{finding ? briefly(texts.finding(finding)) : texts.count("tables.findings", openFindings)}</p>}
      <ul class="hall-players">
        {summary.players.map((player) => (
          <li key={player.colour} class={`${lookOf(player.colour).className}${view?.toMove === player.colour ? " to-move" : ""}`}>
            <PlayerMark colour={player.colour} />
            <span dir="auto">{texts.player(player)}</span>
            <b>{player.score}</b>
          </li>
        ))}
      </ul>
    </li>
  );
}
