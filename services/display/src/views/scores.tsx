import { lookOf } from "../draw/colours";
import { PlayerMark } from "../draw/figure";
import { TileDrawing } from "../draw/tile";
import { GamePhase } from "../gen/tilewarden/v1/game_pb";
import type { TileTypes } from "../live/use_game";
import { sheetOf } from "../model/sheet";
import { tilesLeftTotal, type View } from "../model/view";
import { useTexts } from "../texts/texts";
import { ScoreChart } from "./chart";
import { Players } from "./players";
import { RulesCard } from "./rules_card";

// For the whole room: scores across the page, the sheet, and the stack.
export function Scores({ view, types }: { view: View; types: TileTypes }) {
  return (
    <main class="scores-view">
      <Players view={view} />
      <div class="scores-below">
        <div class="scores-column">
          <ScoreSheet view={view} />
          {view.players.length > 0 && (
            <section class="card">
              <ScoreChart view={view} />
            </section>
          )}
          <RulesCard view={view} />
        </div>
        <TilesLeft view={view} types={types} />
      </div>
    </main>
  );
}

export function ScoreSheet({ view }: { view: View }) {
  const texts = useTexts();
  if (view.players.length === 0) return null;
  return (
    <section class="sheet" aria-labelledby="sheet-title">
      <h2 id="sheet-title">{texts.say("sheet.title")}</h2>
      <div class="sheet-scroll" tabIndex={0} role="group" aria-labelledby="sheet-title">
        <table>
          <thead>
            <tr>
              <td />
              {view.players.map((player) => (
                <th key={player.colour} scope="col" class={lookOf(player.colour).className}>
                  <PlayerMark colour={player.colour} />
                  <span dir="auto">{texts.player(player)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sheetOf(view.players, view.scoreItems).map((row) => (
              <tr key={row.kind}>
                <th scope="row">{texts.say(`kind.${row.kind}`)}</th>
                {row.points.map((points, i) => (
                  <td key={i}>{points}</td>
                ))}
              </tr>
            ))}
            <tr class="sheet-total">
              <th scope="row">{texts.say("sheet.total")}</th>
              {view.players.map((player) => (
                <td key={player.colour}>{player.score}</td>
              ))}
            </tr>
            {view.phase !== GamePhase.ENDED && (
              <tr class="sheet-live">
                <th scope="row">{texts.say("sheet.live")}</th>
                {view.players.map((player) => (
                  <td key={player.colour}>{player.liveScore}</td>
                ))}
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function TilesLeft({ view, types }: { view: View; types: TileTypes }) {
  const texts = useTexts();
  const left = Object.entries(view.tilesLeft)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => a.localeCompare(b));
  return (
    <section class="stack" aria-labelledby="stack-title">
      <h2 id="stack-title">
        {texts.say("tiles.left.title")} <small>{texts.count("tiles.left", tilesLeftTotal(view))}</small>
      </h2>
      {left.length === 0 && <p class="empty">{texts.say("tiles.left.none")}</p>}
      <ul>
        {left.map(([id, count]) => (
          <li key={id} aria-label={`${id}: ${count}`}>
            <svg class="tile" viewBox="0 0 100 100" aria-hidden="true">
              <TileDrawing type={types.get(id)} rotation={0} variant={0} />
            </svg>
            <span aria-hidden="true">{count}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
