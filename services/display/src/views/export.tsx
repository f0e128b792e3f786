import { ConnectError } from "@connectrpc/connect";
import { useState } from "preact/hooks";
import { BoardPicture } from "../board/picture";
import { PlayerMark } from "../draw/figure";
import { GamePhase, type ScoreItem } from "../gen/tilewarden/v1/game_pb";
import { ExportFormat } from "../gen/tilewarden/v1/query_pb";
import { useServices, wordsOf } from "../live/client";
import { drawn, drawingStyle, pngOf, save } from "../live/keep";
import type { TileTypes } from "../live/use_game";
import { fileStem, htmlFile, svgFile } from "../model/keep";
import { sheetOf } from "../model/sheet";
import type { View } from "../model/view";
import { useTexts, type Texts } from "../texts/texts";
import { ScoreChart } from "./chart";
import { playerName, signed } from "./words";

// The game as files: what this page draws and tells, and what the service writes
// for other programs.
export function Export({ view, types }: { view: View; types: TileTypes }) {
  const texts = useTexts();
  const { query } = useServices();
  const [fault, setFault] = useState("");
  const name = fileStem(view.name);
  const picture = () => drawn(<BoardPicture view={view} types={types} />, texts);
  const written = (format: ExportFormat, ending: string) => async () => {
    const { content, contentType } = await query.exportGame({ gameId: view.gameId, format });
    save(`${name}.${ending}`, new Blob([new Uint8Array(content)], { type: contentType }));
  };
  const files = {
    csv: written(ExportFormat.SCORES_CSV, "csv"),
    picture: async () => save(`${name}.png`, await pngOf(svgFile(picture(), drawingStyle()))),
    page: () => save(`${name}.html`, new Blob([keepsakeOf(view, texts, picture())], { type: "text/html" })),
    notation: written(ExportFormat.NOTATION, "txt"),
    jcz: written(ExportFormat.JCZ, "jcz"),
  };
  const keep = async (file: keyof typeof files) => {
    setFault("");
    try {
      await files[file]();
    } catch (problem) {
      setFault(problem instanceof ConnectError ? wordsOf(problem) : texts.say("export.failed"));
    }
  };
  return (
    <div class="export" role="group" aria-label={texts.say("export.title")}>
      {(["picture", "page", "csv", "notation", "jcz"] as const).map((file) => (
        <button key={file} type="button" class="wide-button quiet" data-export={file} onClick={() => void keep(file)}>
          {texts.say(`export.${file}`)}
        </button>
      ))}
      {fault && <p class="refused" role="alert" dir="auto">{fault}</p>}
    </div>
  );
}

function keepsakeOf(view: View, texts: Texts, board: string): string {
  const players = view.players.map((player) => texts.player(player));
  const when = (item: ScoreItem) => (item.turn > 0 ? texts.say("points.turn", { turn: item.turn }) : texts.say("points.final"));
  const total = view.players.map((player) => String(player.score));
  return htmlFile({
    language: texts.language,
    title: texts.game(view),
    facts: view.phase === GamePhase.ENDED ? texts.say("game.over") : texts.say("game.turn", { turn: view.turn }),
    board,
    chart: drawn(<ScoreChart view={view} />, texts),
    marks: view.players.map(({ colour }) => drawn(<PlayerMark colour={colour} />, texts)),
    style: drawingStyle(),
    sheet: [
      ["", ...players],
      ...sheetOf(view.players, view.scoreItems).map((row) => [texts.say(`kind.${row.kind}`), ...row.points.map(String)]),
      [texts.say("sheet.total"), ...total],
    ],
    pointsTitle: texts.say("points.title"),
    points: view.scoreItems
      .filter((item) => item.points !== 0)
      .map((item) => [when(item), playerName(texts, view, item.colour), signed(item.points), texts.reason(item)]),
  });
}
