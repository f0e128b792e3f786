import { FigureIcon, GoodsTokens, PlayerMark } from "../draw/figure";
import { GOODS } from "../draw/goods";
import { lookOf } from "../draw/colours";
import { GamePhase, type Player } from "../gen/tilewarden/v1/game_pb";
import { useNow } from "../live/use_now";
import { clockFace, leftMs } from "../model/hall";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { figureName } from "./words";

// A longer name is set smaller, on more lines.
const LONG_NAME = 16;
// Followers a box has for one colour; more are drawn if a game has more.
const FOLLOWERS = 7;

interface Props {
  view: View;
  // By how much the engine service's clock is ahead of this device's; undefined: no clocks.
  aheadMs?: number;
}

// Everybody's score, big, with the projected score, the supply, whose turn it is, and how long each
// may still think, where that is limited.
export function Players({ view, aheadMs }: Props) {
  const texts = useTexts();
  const limited = aheadMs !== undefined && (view.clock?.limitMs ?? 0n) > 0n && view.phase !== GamePhase.ENDED;
  const now = useNow(limited) + (aheadMs ?? 0);
  if (view.players.length === 0) return <p class="empty">{texts.say("players.none")}</p>;
  return (
    <ol class={`players count-${view.players.length}`} aria-label={texts.say("players.label")}>
      {view.players.map((player) => (
        <PlayerCard key={player.colour} player={player} view={view} left={limited ? leftMs(view.clock, player.colour, view.toMove, now) : undefined} />
      ))}
    </ol>
  );
}

function PlayerCard({ player, view, left }: { player: Player; view: View; left: number | undefined }) {
  const texts = useTexts();
  const name = texts.player(player);
  const over = view.phase === GamePhase.ENDED;
  const toMove = !over && view.toMove === player.colour;
  const wins = over && view.winners.includes(player.colour);
  return (
    <li
      class={`player ${lookOf(player.colour).className}${toMove ? " to-move" : ""}${wins ? " wins" : ""}`}
      data-player={player.colour}
      aria-current={toMove ? "true" : undefined}
    >
      <PlayerMark colour={player.colour} />
      <div class="player-who">
        <span class={`player-name${name.length > LONG_NAME ? " is-long" : ""}`} dir="auto">{name}</span>
        {toMove && <span class="pill">{texts.say("player.toMove")}</span>}
        {wins && <span class="pill">{texts.say("player.wins")}</span>}
      </div>
      <Supply player={player} />
      <div class="player-points">
        <span class="player-score" data-score={player.score}>{player.score}</span>
        {!over && (
          <span class="player-live">
            <span aria-hidden="true">
              {texts.say("player.live.short")} <b>{player.liveScore}</b>
            </span>
            <span class="for-listeners">{texts.say("player.live", { points: player.liveScore })}</span>
          </span>
        )}
        {left !== undefined && (
          <time class={`player-clock${left < 0 ? " is-over" : ""}`} title={texts.say("player.clock")}>
            <span class="for-listeners">{texts.say("player.clock")} </span>
            {clockFace(left)}
          </time>
        )}
      </div>
    </li>
  );
}

function Supply({ player }: { player: Player }) {
  const texts = useTexts();
  const all = Math.max(FOLLOWERS, player.supply);
  const words = [texts.count("player.supply", player.supply)];
  for (const { kind, count } of player.specialFigures) {
    words.push(texts.say(count > 0 ? "player.special" : "player.special.away", { figure: figureName(texts, kind) }));
  }
  const tokens = GOODS.map((goods) => ({ goods, count: player.goods[goods] ?? 0 })).filter(({ count }) => count > 0);
  for (const { goods, count } of tokens) words.push(texts.say("player.goods", { goods: texts.say(`goods.${goods}`), count }));
  return (
    <div class="supply" role="img" aria-label={words.join(", ")} title={words.join(", ")}>
      {Array.from({ length: all }, (_, i) => (
        <FigureIcon key={i} colour={player.colour} away={i >= player.supply} />
      ))}
      {player.specialFigures.map(({ kind, count }) => (
        <FigureIcon key={kind} colour={player.colour} kind={kind} away={count === 0} />
      ))}
      {tokens.map(({ goods, count }) => (
        <GoodsTokens key={goods} goods={goods} count={count} />
      ))}
    </div>
  );
}
