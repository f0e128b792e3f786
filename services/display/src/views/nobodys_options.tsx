import { create } from "@bufbuild/protobuf";
import { PlayerMark } from "../draw/figure";
import { TileThumb } from "../draw/thumb";
import { FigureKind, PurchaseSchema, TurnSchema, type Cell, type Turn } from "../gen/tilewarden/v1/game_pb";
import type { Choice } from "../gen/tilewarden/v1/query_pb";
import type { TileTypes } from "../live/use_game";
import { arkSteps, sameWay, withArkPath } from "../model/correction";
import { neighbour, sameCell } from "../model/grid";
import type { View } from "../model/view";
import { useTexts, type Texts } from "../texts/texts";
import { NumberStepper } from "./number_stepper";

const ARROWS = ["↑", "→", "↓", "←"] as const;
const SIDES = ["side.north", "side.east", "side.south", "side.west"] as const;

interface Props {
  view: View;
  types: TileTypes;
  turn: Turn;
  // The tile of the turn, as it lies.
  choice: Choice;
  // Where the Ark stood before the turn.
  ark: Cell | undefined;
  onChange: (turn: Turn) => void;
}

// What else a turn may do besides a tile and a player's figure: where the Ark enters or goes,
// where the Gingerbread Man goes, and whom the tile was bought from.
export function NobodysOptions({ view, types, turn, choice, ark, onChange }: Props) {
  const texts = useTexts();
  return (
    <>
      {choice.arkLandings.length > 0 && (
        <fieldset>
          <legend>{texts.say("turn.ark.enters")}</legend>
          <div class="options tiles">
            {choice.arkLandings.map((cell) => (
              <TileButton
                key={`${cell.x},${cell.y}`}
                {...{ view, types, turn, cell }}
                name={tileName(texts, view, turn, cell)}
                pressed={sameCell(turn.arkLanding, cell)}
                figure={{ kind: FigureKind.ARK, segment: 0 }}
                onClick={() => onChange(create(TurnSchema, { ...turn, arkLanding: cell }))}
              />
            ))}
          </div>
        </fieldset>
      )}
      {ark && choice.arkLandings.length === 0 && <ArkWay view={view} turn={turn} ark={ark} onChange={onChange} />}
      {choice.gingerbreadWays.length > 0 && (
        <fieldset>
          <legend>{texts.say("turn.gingerbread")}</legend>
          <div class="options tiles">
            {choice.gingerbreadWays.map(({ places }) => {
              const last = places[places.length - 1]!;
              return (
                <TileButton
                  key={places.map(({ cell, segment }) => `${cell?.x},${cell?.y},${segment}`).join("/")}
                  {...{ view, types, turn, cell: last.cell! }}
                  name={places.map(({ cell }) => tileName(texts, view, turn, cell)).join(" → ")}
                  pressed={sameWay(turn.gingerbread, places)}
                  figure={{ kind: FigureKind.GINGERBREAD_MAN, segment: last.segment }}
                  onClick={() => onChange(create(TurnSchema, { ...turn, gingerbread: places }))}
                />
              );
            })}
          </div>
        </fieldset>
      )}
      {view.rules["tile_buying"] === "true" && <Purchase view={view} turn={turn} onChange={onChange} />}
    </>
  );
}

// By the turn that laid it: thumbs of equal tiles look the same.
function tileName(texts: Texts, view: View, turn: Turn, cell: Cell | undefined): string {
  if (sameCell(turn.cell, cell)) return texts.say("turn.this");
  const laid = view.tiles.find((tile) => sameCell(tile.cell, cell))?.turn ?? 0;
  return laid > 0 ? texts.say("game.turn", { turn: laid }) : texts.say("replay.start");
}

interface TileButtonProps {
  view: View;
  types: TileTypes;
  turn: Turn;
  cell: Cell;
  name: string;
  pressed: boolean;
  figure: { readonly kind: FigureKind; readonly segment: number };
  onClick: () => void;
}

function TileButton({ view, types, turn, cell, name, pressed, figure, onClick }: TileButtonProps) {
  const own = sameCell(turn.cell, cell);
  const laid = own ? turn : view.tiles.find((tile) => sameCell(tile.cell, cell));
  return (
    <button type="button" class="option" aria-pressed={pressed} data-nobodys={FigureKind[figure.kind]} data-goes-to={`${cell.x},${cell.y}`} onClick={onClick}>
      <TileThumb type={types.get(laid?.tile ?? "")} rotation={laid?.rotation ?? 0} figure={{ colour: "", ...figure }} />
      <small>{name}</small>
    </button>
  );
}

// Step by step, as hands push it.
function ArkWay({ view, turn, ark, onChange }: { view: View; turn: Turn; ark: Cell; onChange: (turn: Turn) => void }) {
  const texts = useTexts();
  const open = arkSteps(view.tiles, ark, turn);
  const way = [ark, ...turn.arkPath];
  const last = way[way.length - 1]!;
  const said = turn.arkPath.map((cell, i) => [0, 1, 2, 3].find((side) => sameCell(neighbour(way[i]!, side), cell)) ?? 0);
  return (
    <fieldset data-ark-way={turn.arkPath.length}>
      <legend>{texts.say("turn.ark.way")}</legend>
      <div class="options ark-way">
        <button type="button" class="option" aria-pressed={turn.arkPath.length === 0} data-ark-stays onClick={() => onChange(withArkPath(turn, []))}>
          {texts.say("turn.ark.stays")}
        </button>
        {ARROWS.map((arrow, side) => (
          <button
            key={arrow}
            type="button"
            class="option"
            aria-label={texts.say(SIDES[side]!)}
            data-ark-step={side}
            disabled={!open.includes(side)}
            onClick={() => onChange(withArkPath(turn, [...turn.arkPath, { ...last, ...neighbour(last, side) }]))}
          >
            {arrow}
          </button>
        ))}
      </div>
      {said.length > 0 && (
        <p class="note" role="status">
          <span aria-hidden="true">{said.map((side) => ARROWS[side]).join(" ")}</span>
          <span class="for-listeners">{said.map((side) => texts.say(SIDES[side]!)).join(", ")}</span>
        </p>
      )}
    </fieldset>
  );
}

// The tile was drawn by another player, who sold it.
function Purchase({ view, turn, onChange }: { view: View; turn: Turn; onChange: (turn: Turn) => void }) {
  const texts = useTexts();
  const { purchase, ...rest } = turn;
  const from = (seller: string, points: number) => onChange(create(TurnSchema, { ...rest, purchase: create(PurchaseSchema, { seller, points }) }));
  return (
    <fieldset>
      <legend>{texts.say("turn.bought")}</legend>
      <div class="options">
        <button type="button" class="option" aria-pressed={!purchase} data-seller="" onClick={() => onChange(create(TurnSchema, rest))}>
          {texts.say("turn.bought.nobody")}
        </button>
        {view.players.filter(({ colour }) => colour !== turn.colour).map((player) => (
          <button key={player.colour} type="button" class="option" aria-pressed={purchase?.seller === player.colour} data-seller={player.colour} onClick={() => from(player.colour, purchase?.points ?? 1)}>
            <PlayerMark colour={player.colour} />
            <span dir="auto">{texts.player(player)}</span>
          </button>
        ))}
      </div>
      {purchase && (
        <NumberStepper label={texts.say("turn.bought.points")} min={1} value={purchase.points} onChange={(points) => from(purchase.seller, points)} />
      )}
    </fieldset>
  );
}
