import "../styles/player_list.css";
import { toJson } from "@bufbuild/protobuf";
import { useState } from "preact/hooks";
import { PlayerMark } from "../draw/figure";
import { ExportPlayerResponseSchema, type PlayerFigures, type PlayerGame } from "../gen/tilewarden/v1/players_pb";
import { wordsOf } from "../live/client";
import { save } from "../live/keep";
import { useAnswer } from "../live/use_answer";
import { forgetName } from "../live/use_names";
import { usePlayerList, type PlayerList as Known } from "../live/use_player_list";
import { fileStem } from "../model/keep";
import { ordered, ORDERS, type Order } from "../model/player_order";
import { addressOf } from "../route";
import { plain, useTexts } from "../texts/texts";
import { AskTwice } from "./ask_twice";

// Everybody who plays here: how they fare, and all that is kept of each.
export function PlayerList({ mayDelete }: { mayDelete: boolean }) {
  const texts = useTexts();
  const known = usePlayerList();
  const [order, setOrder] = useState<Order>("wins");
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const players = known.players && ordered(known.players, order, texts.language);
  return (
    <main class="player-list">
      <div class="tables-head">
        <h2>{texts.say("people.title")}</h2>
      </div>
      {players && players.length > 1 && (
        <div class="options player-orders" role="group" aria-label={texts.say("people.sort")}>
          {ORDERS.map((one) => (
            <button key={one} type="button" class="option" aria-pressed={one === order} onClick={() => setOrder(one)}>
              {texts.say(`people.sort.${one}`)}
            </button>
          ))}
        </div>
      )}
      {deleted.length > 0 && <div class="player-deleted" role="status">{deleted.map((sentence) => <p key={sentence} dir="auto">{sentence}</p>)}</div>}
      {known.toCount > 0 && <p class="empty" role="status">{texts.count("people.counting", known.toCount)}</p>}
      {!players && <p class="empty" role="status">{texts.say("game.connecting")}</p>}
      {players?.length === 0 && <p class="empty">{texts.say("people.none")}</p>}
      <ol>
        {players?.map((player) => (
          <li key={player.name}>
            <Person player={player} known={known} mayDelete={mayDelete} onDeleted={setDeleted} />
          </li>
        ))}
      </ol>
    </main>
  );
}

interface PersonProps {
  player: PlayerFigures;
  known: Known;
  mayDelete: boolean;
  // What is to be said of it.
  onDeleted: (sentences: readonly string[]) => void;
}

function Person({ player, known, mayDelete, onDeleted }: PersonProps) {
  const texts = useTexts();
  const [open, setOpen] = useState(false);
  const name = plain(player.name);
  const facts = [
    ["average", texts.number(player.averagePoints, 1)],
    ["best", texts.number(player.bestPoints, 0)],
    ["road", texts.number(player.bestRoad, 0)],
    ["city", texts.number(player.bestCity, 0)],
    ["farms", texts.number(player.averageFarmPoints, 1)],
  ] as const;
  const favourite = player.colours[0];
  return (
    <details class="person" data-player={player.name} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="person-name">
          {favourite && <PlayerMark colour={favourite.colour} />}
          <b dir="auto">{name}</b>
        </span>
        <span class="person-record">{player.games > 0 ? texts.count("people.record", player.games, { wins: player.wins }) : texts.say("people.open")}</span>
        {player.games > 0 && (
          <span class="person-facts">
            {facts.map(([fact, value]) => (
              <span key={fact}>
                <small>{texts.say(`people.${fact}`)}</small> <b>{value}</b>
              </span>
            ))}
          </span>
        )}
      </summary>
      {open && <Kept player={player} known={known} mayDelete={mayDelete} onDeleted={onDeleted} />}
    </details>
  );
}

// All that is kept of one person, and the ways to take it along and to take it away.
function Kept({ player: { name }, known, mayDelete, onDeleted }: PersonProps) {
  const texts = useTexts();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState("");
  const { value: all, error } = useAnswer((signal) => known.client.exportPlayer({ name }, { signal }), [name, known.players]);
  const shown = plain(name);
  const remove = async () => {
    setAsked(false);
    setBusy(true);
    try {
      const { games, left } = await known.client.deletePlayer({ name });
      forgetName(name);
      onDeleted([texts.count("people.deleted", games, { name: shown }), ...left]);
      known.again();
    } catch (problem) {
      setRefused(wordsOf(problem));
    }
    setBusy(false);
  };
  const keep = () => all && save(`${fileStem(name)}.json`, new Blob([JSON.stringify(toJson(ExportPlayerResponseSchema, all), null, 2)], { type: "application/json" }));
  return (
    <div class="person-kept">
      <ul>{all?.games.map((game) => <li key={`${game.gameId} ${game.colour}`}><Game game={game} /></li>)}</ul>
      {(error || refused) && <p class="refused" role="alert" dir="auto">{refused || error}</p>}
      {busy && <p role="status">{texts.say("people.deleting")}</p>}
      <div class="person-buttons">
        <button type="button" class="wide-button quiet" disabled={!all} aria-label={texts.say("people.save.which", { name: shown })} onClick={keep}>
          {texts.say("people.save")}
        </button>
        {mayDelete && !busy && (
          <AskTwice
            label={texts.say("people.delete")}
            which={texts.say("people.delete.which", { name: shown })}
            sure={texts.say("people.delete.sure", { name: shown })}
            yes={texts.say("people.delete.yes")}
            asked={asked}
            onAsk={setAsked}
            onSure={() => void remove()}
          />
        )}
      </div>
    </div>
  );
}

function Game({ game }: { game: PlayerGame }) {
  const texts = useTexts();
  const day = new Date(Number(game.createdMs)).toLocaleDateString(texts.language, { dateStyle: "medium" });
  return (
    <a class="person-game" href={addressOf({ view: "board", gameId: game.gameId })}>
      <PlayerMark colour={game.colour} />
      <span dir="auto">{texts.game({ name: game.gameName })}</span>
      <small>{[day, ...(game.ended ? [] : [texts.say("people.running")]), ...(game.won ? [texts.say("people.won")] : [])].join(" · ")}</small>
      <b>{game.points}</b>
    </a>
  );
}
