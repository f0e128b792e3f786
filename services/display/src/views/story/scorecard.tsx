import { lookOf } from "../../draw/colours";
import { Figures, Tiles } from "../../board/pieces";
import { GamePhase } from "../../gen/tilewarden/v1/game_pb";
import type { GameClient } from "../../live/client";
import { handOver, PictureWorker, pixelsOf } from "../../live/files";
import { drawn, drawingStyle, painted } from "../../live/keep";
import type { TileTypes } from "../../live/use_game";
import { boundsOf } from "../../model/grid";
import { fileStem, svgFile } from "../../model/keep";
import { CARD_WIDTH, cardOf, type Box, type Card, type Line } from "../../model/scorecard";
import { sheetOf } from "../../model/sheet";
import type { View } from "../../model/view";
import type { Texts } from "../../texts/texts";

// What every messenger sends as it is.
const MOST_BYTES = 400 * 1024;

// The game on one picture, to keep and to send: who won, what for, and the board.
export async function giveScorecard(client: GameClient, view: View, types: TileTypes, texts: Texts): Promise<void> {
  const { width, height, svg } = drawScorecard(view, types, texts, await beginningOf(client, view.gameId));
  const worker = new PictureWorker();
  try {
    const pixels = pixelsOf(await painted(svg, height));
    const { file } = await worker.ask({ kind: "png", width, height, pixels, most_bytes: MOST_BYTES });
    await handOver(`${fileStem(view.name)}.png`, new Blob([file as BlobPart], { type: "image/png" }));
  } finally {
    worker.end();
  }
}

function drawScorecard(view: View, types: TileTypes, texts: Texts, began: Date | undefined) {
  const order = view.players.map((player, i) => ({ player, i })).sort((a, b) => b.player.score - a.player.score || a.i - b.i);
  const state = view.phase === GamePhase.ENDED ? [] : [texts.say("game.turn", { turn: view.turn })];
  const card = cardOf({
    title: texts.game(view),
    facts: [...(began ? [began.toLocaleDateString(texts.language, { dateStyle: "full" })] : []), ...state].join(" · "),
    players: order.map(({ player }) => ({ colour: player.colour, name: texts.player(player), score: player.score })),
    rows: sheetOf(view.players, view.scoreItems).map(({ kind, points }) => ({ label: texts.say(`kind.${kind}`), points: order.map(({ i }) => points[i] ?? 0) })),
    bounds: boundsOf(view.tiles.flatMap((tile) => tile.cell ?? [])),
  });
  const drawing = drawn(<Drawing card={card} view={view} types={types} />, texts);
  return { width: CARD_WIDTH, height: card.height, svg: svgFile(drawing, drawingStyle()) };
}

// When the game's first event after its beginning was: a game of long ago carries its own day.
async function beginningOf(client: GameClient, gameId: string): Promise<Date | undefined> {
  const reading = new AbortController();
  try {
    for await (const { what } of client.watchGame({ gameId, resumeAfter: 1n }, { signal: reading.signal })) {
      return what.case === "event" ? new Date(Number(what.value.timeMs)) : undefined;
    }
  } catch {
    // A log that does not reach back that far. The card goes without a day.
  } finally {
    reading.abort();
  }
  return undefined;
}

function Drawing({ card, view, types }: { card: Card; view: View; types: TileTypes }) {
  return (
    <svg viewBox={`0 0 ${CARD_WIDTH} ${card.height}`} data-palette={document.documentElement.dataset["palette"]}>
      <rect class="picture-ground" width={CARD_WIDTH} height={card.height} />
      <Words line={card.title} heavy />
      <Words line={card.facts} className="picture-soft" />
      {card.ranks.map(({ colour, place, box, name, score }) => (
        <g key={colour} class={lookOf(colour).className}>
          <Plate box={box} className={place === 1 ? "picture-plate picture-first" : "picture-plate"} />
          <text class="picture-words picture-soft" x={box.x + 50} y={box.y + 74} font-size="46" text-anchor="middle">{place}</text>
          <Mark colour={colour} x={box.x + 134} y={box.y + box.height / 2} size={36} />
          <Words line={name} heavy />
          <text class="picture-words picture-heavy" x={box.x + box.width - 30} y={box.y + 82} font-size="76" text-anchor="end">{score}</text>
        </g>
      ))}
      {card.rows.length > 0 && <Plate box={card.table} className="picture-plate" />}
      {card.columns.map(({ colour, x, y }) => (
        <Mark key={colour} colour={colour} x={x} y={y} size={24} />
      ))}
      {card.rows.map(({ label, points }, i) => (
        <g key={i}>
          <Words line={label} />
          {points.map(({ text, x, y }, k) => (
            <text key={k} class="picture-words" x={x} y={y} font-size="42" text-anchor="middle">{text}</text>
          ))}
        </g>
      ))}
      <Plate box={card.board} className="picture-table" />
      <svg {...card.board} viewBox={card.viewBox}>
        <Tiles tiles={view.tiles} types={types} newest={undefined} />
        <Figures figures={view.figures} neutral={view.neutral} newest={undefined} />
      </svg>
    </svg>
  );
}

const Words = ({ line, heavy, className = "" }: { line: Line; heavy?: boolean; className?: string }) => (
  <text class={`picture-words ${heavy ? "picture-heavy" : ""} ${className}`} x={line.x} y={line.y} font-size={line.size}>{line.text}</text>
);

const Plate = ({ box, className }: { box: Box; className: string }) => <rect {...box} rx="24" class={className} />;

const Mark = ({ colour, x, y, size }: { colour: string; x: number; y: number; size: number }) => (
  <g class={lookOf(colour).className} transform={`translate(${x} ${y}) scale(${size / 2})`}>
    <rect class="mark-plate" x="-1.9" y="-1.9" width="3.8" height="3.8" rx="1" />
    <path class="mark-symbol" d={lookOf(colour).symbol} />
  </g>
);
