import { useEffect, useMemo, useState } from "preact/hooks";
import type { Place } from "../board/marks";
import { PlayerMark } from "../draw/figure";
import { TileThumb } from "../draw/thumb";
import { GamePhase, TurnSchema, type Cell, type Turn } from "../gen/tilewarden/v1/game_pb";
import type { Choice } from "../gen/tilewarden/v1/query_pb";
import { create } from "@bufbuild/protobuf";
import { useServices } from "../live/client";
import { useAnswer } from "../live/use_answer";
import { useChange } from "../live/use_change";
import type { TileTypes } from "../live/use_game";
import { distinct, withChoice, withColour, withFigure } from "../model/correction";
import { sameCell, type XY } from "../model/grid";
import { tilesLeftTotal, withTurn, type View } from "../model/view";
import { useTexts } from "../texts/texts";
import { NobodysOptions } from "./nobodys_options";
import { PlayerOptions } from "./player_options";
import { FigureOptions } from "./turn_editor";
import { playerName, tileWords } from "./words";

const NO_CHOICES: readonly Choice[] = [];

export interface ByHand {
  // The board with the tile that is being laid.
  readonly shown: View;
  readonly places: readonly Place[];
  // A place of the board was touched. False: it means nothing here.
  touch(cell: XY): boolean;
  readonly drafted: Turn | undefined;
  readonly tile: string;
  readonly choices: readonly Choice[];
  // Where the Ark stands.
  readonly ark: Cell | undefined;
  choose(tile: string): void;
  change(turn: Turn | undefined): void;
}

// A turn that somebody enters on the board: the tile, then where it lies, how it is turned, and
// the figure. `active`: the game is played so.
export function useByHand(view: View, types: TileTypes, active: boolean): ByHand | undefined {
  const { query } = useServices();
  const [tile, setTile] = useState("");
  const [drafted, setDrafted] = useState<Turn | undefined>();
  const { gameId, eventNumber } = view;
  // The turn is over, or the game was changed elsewhere.
  useEffect(() => {
    setTile("");
    setDrafted(undefined);
  }, [gameId, eventNumber]);
  // Whoever buys a tile lays it, out of turn.
  const colour = drafted?.colour ?? view.toMove;
  const { value } = useAnswer(
    active && tile
      ? async (signal) => ({ tile, ...(await query.listChoices({ gameId, tile, colour }, { signal })) })
      : undefined,
    [gameId, eventNumber, tile, colour, active],
  );
  const choices = value?.tile === tile ? value.choices : NO_CHOICES;
  const places = useMemo<readonly Place[]>(() => placesOf(choices, drafted), [choices, drafted]);
  const shown = useMemo(() => (drafted ? withTurn(view, types, drafted) : view), [view, types, drafted]);
  if (!active) return undefined;
  return {
    shown,
    places,
    drafted,
    tile,
    choices,
    ark: value?.ark,
    choose(next) {
      setTile(next);
      setDrafted(undefined);
    },
    change: setDrafted,
    touch(cell) {
      const here = waysAt(choices, cell, types);
      const [first] = here;
      if (!first) return tile !== "";
      // The same place again turns the tile.
      const at = drafted && sameCell(drafted.cell, cell) ? here.findIndex((way) => way.rotation === drafted.rotation) : -1;
      const way = here[(at + 1) % here.length] ?? first;
      const turn = drafted ?? create(TurnSchema, { colour: view.toMove });
      setDrafted(withChoice(create(TurnSchema, { ...turn, cell: way.cell! }), way));
      return true;
    },
  };
}

function placesOf(choices: readonly Choice[], drafted: Turn | undefined): readonly Place[] {
  const cells: XY[] = [];
  for (const { cell } of choices) {
    if (cell && !cells.some((other) => sameCell(other, cell)) && !sameCell(drafted?.cell, cell)) cells.push(cell);
  }
  return cells.map((cell) => ({ cell, label: "", tone: "open" }));
}

// How the tile may lie there, each look once.
const waysAt = (choices: readonly Choice[], cell: XY, types: TileTypes): readonly Choice[] =>
  distinct(choices.filter((choice) => sameCell(choice.cell, cell)), create(TurnSchema), types);

interface PanelProps {
  view: View;
  types: TileTypes;
  hand: ByHand;
}

export function ByHandPanel({ view, types, hand }: PanelProps) {
  const texts = useTexts();
  const doing = useChange(view.gameId);
  const { drafted, tile, choices } = hand;
  const left = tilesLeftTotal(view);
  const chosen = drafted && choices.find((c) => sameCell(c.cell, drafted.cell) && c.rotation === drafted.rotation);
  const ways = drafted?.cell ? waysAt(choices, drafted.cell, types) : NO_CHOICES;
  const step = !tile ? "tile" : !drafted ? "place" : "figure";
  return (
    <section class="card by-hand" aria-labelledby="by-hand-title" data-by-hand={step}>
      <h2 id="by-hand-title">
        <PlayerMark colour={view.toMove} />
        <span dir="auto">{texts.say("hand.turn", { name: playerName(texts, view, view.toMove) })}</span>
      </h2>
      {left === 0 ? (
        <>
          <p>{texts.say("hand.empty")}</p>
          <button type="button" class="wide-button" disabled={doing.busy} onClick={() => void doing.carryOut({ kind: "end" })}>{texts.say("correct.end")}</button>
        </>
      ) : (
        <>
          <p class="note" role="status">{texts.say(step === "place" && choices.length === 0 ? "hand.nowhere" : `hand.${step}`)}</p>
          {step === "tile" ? (
            <div class="options tiles">
              {[...types.values()].filter(({ id }) => (view.tilesLeft[id] ?? 0) > 0).map((type) => (
                <button key={type.id} type="button" class="option" data-tile={type.id} aria-label={`${tileWords(texts, type, 0)}, ${texts.count("tiles.left", view.tilesLeft[type.id] ?? 0)}`} onClick={() => hand.choose(type.id)}>
                  <TileThumb type={type} rotation={0} />
                  <small>{view.tilesLeft[type.id]}</small>
                </button>
              ))}
            </div>
          ) : (
            <>
              {drafted && view.rules["tile_buying"] === "true" && (
                <PlayerOptions view={view} legend={texts.say("correct.player")} chosen={drafted.colour} onChoose={(colour) => hand.change(withColour(drafted, colour))} />
              )}
              {drafted && chosen && (
                <FigureOptions types={types} turn={drafted} choice={chosen} onChoose={(deployment, recall) => hand.change(withFigure(drafted, deployment, recall))} />
              )}
              {drafted && chosen && <NobodysOptions view={view} types={types} turn={drafted} choice={chosen} ark={hand.ark} onChange={hand.change} />}
              <div class="correct-buttons">
                {hand.places.length > 0 && (
                  <button type="button" class="wide-button quiet" data-next-place onClick={() => hand.touch(nextPlace(choices, drafted))}>{texts.say(drafted ? "hand.elsewhere" : "hand.here")}</button>
                )}
                <button type="button" class="wide-button quiet" onClick={() => hand.choose("")}>{texts.say("hand.other")}</button>
                {ways.length > 1 && drafted?.cell && (
                  <button type="button" class="wide-button quiet" data-turn-tile onClick={() => hand.touch(drafted.cell!)}>{texts.say("hand.rotate")}</button>
                )}
              </div>
            </>
          )}
          {drafted && (
            <button type="button" class="wide-button" data-next disabled={doing.busy} onClick={() => void doing.carryOut({ kind: "play", turn: drafted })}>{texts.say("hand.next")}</button>
          )}
          {step === "tile" && view.turn > 0 && (
            <button type="button" class="wide-button quiet" disabled={doing.busy} onClick={() => void doing.carryOut({ kind: "undo" })}>{texts.say("correct.undo")}</button>
          )}
        </>
      )}
      {doing.error && <p class="refused" role="alert" dir="auto">{doing.error}</p>}
    </section>
  );
}

// For who uses no finger: the place after this one.
function nextPlace(choices: readonly Choice[], drafted: Turn | undefined): XY {
  const cells = choices.flatMap(({ cell }) => (cell ? [cell] : []));
  const last = cells.findLastIndex((cell) => sameCell(cell, drafted?.cell));
  return cells[(last + 1) % cells.length] ?? { x: 0, y: 0 };
}

export const isByHand = (view: View): boolean => view.byHand && view.phase === GamePhase.PLAYING;
