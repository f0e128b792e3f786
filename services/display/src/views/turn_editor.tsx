import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { TileThumb } from "../draw/thumb";
import { FigureKind, type Cell, type Deployment, type Turn } from "../gen/tilewarden/v1/game_pb";
import type { Choice } from "../gen/tilewarden/v1/query_pb";
import type { TileTypes } from "../live/use_game";
import { distinct, sameDeployment, withChoice, withColour, withFigure } from "../model/correction";
import { sameCell } from "../model/grid";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { NobodysOptions } from "./nobodys_options";
import { PlayerOptions } from "./player_options";
import { featureName, figureName, percent, tileWords } from "./words";

interface Props {
  view: View;
  types: TileTypes;
  // As it should become.
  turn: Turn;
  choices: readonly Choice[];
  // Where the Ark stood before the turn.
  ark: Cell | undefined;
  onChange: (turn: Turn) => void;
}

// Who laid which tile, and which figure was placed: what somebody can correct.
export function TurnEditor({ view, types, turn, choices: all, ark, onChange }: Props) {
  const texts = useTexts();
  const choices = useMemo(() => distinct(all, turn, types), [all, turn.tile, turn.rotation, types]);
  const chosen = choices.find((c) => c.tile === turn.tile && c.rotation === turn.rotation);
  const form = useRef<HTMLDivElement>(null);
  // What it was is in sight, if it is among the last of a long list.
  useEffect(() => form.current?.querySelector('.tiles [aria-pressed="true"]')?.scrollIntoView({ block: "nearest" }), [turn.cell?.x, turn.cell?.y]);
  return (
    <div class="turn-editor" ref={form}>
      <PlayerOptions view={view} legend={texts.say("correct.player")} chosen={turn.colour} onChoose={(colour) => onChange(withColour(turn, colour))} />
      <fieldset>
        <legend>{texts.say("correct.tile")}</legend>
        <TileOptions types={types} turn={turn} choices={choices} onChoose={(choice) => onChange(withChoice(turn, choice))} />
      </fieldset>
      {chosen && (
        <fieldset>
          <legend>{texts.say("correct.figure")}</legend>
          <FigureOptions
            types={types}
            turn={turn}
            choice={chosen}
            onChoose={(deployment, recall) => onChange(withFigure(turn, deployment, recall))}
          />
        </fieldset>
      )}
      {chosen && <NobodysOptions view={view} types={types} turn={turn} choice={chosen} ark={ark} onChange={onChange} />}
    </div>
  );
}

interface TileOptionsProps {
  types: TileTypes;
  turn: Turn;
  choices: readonly Choice[];
  onChoose: (choice: Choice) => void;
}

// Likely enough to be offered before all others.
const LIKELY = 0.002;
const MOST_LIKELY_ONES = 5;

// What the camera thinks likely first; everything that fits on request.
function TileOptions({ types, turn, choices, onChoose }: TileOptionsProps) {
  const texts = useTexts();
  const isChosen = (c: Choice) => c.tile === turn.tile && c.rotation === turn.rotation;
  const likely = choices.filter((c) => c.probability >= LIKELY).slice(0, MOST_LIKELY_ONES);
  const own = choices.find(isChosen);
  const first = own && !likely.includes(own) ? [own, ...likely] : likely;
  const [all, setAll] = useState(false);
  const shown = all || likely.length === 0 ? choices : first;
  return (
    <>
      <div class="options tiles">
        {shown.map((choice) => (
          <button
            key={`${choice.tile}/${choice.rotation}`}
            type="button"
            class="option"
            aria-pressed={isChosen(choice)}
            aria-label={`${tileWords(texts, types.get(choice.tile), choice.rotation)}${choice.probability >= LIKELY ? `, ${percent(texts, choice.probability)}` : ""}`}
            data-choice={`${choice.tile}/${choice.rotation}`}
            onClick={() => onChoose(choice)}
          >
            <TileThumb type={types.get(choice.tile)} rotation={choice.rotation} />
            {choice.probability >= LIKELY && <small>{percent(texts, choice.probability)}</small>}
          </button>
        ))}
      </div>
      {likely.length > 0 && first.length < choices.length && (
        <button type="button" class="wide-button quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? texts.say("correct.fewer") : texts.count("correct.all", choices.length)}
        </button>
      )}
    </>
  );
}

interface FigureOptionsProps {
  types: TileTypes;
  turn: Turn;
  choice: Choice;
  onChoose: (deployment: Deployment | undefined, recall?: Cell) => void;
}

export function FigureOptions({ types, turn, choice, onChoose }: FigureOptionsProps) {
  const texts = useTexts();
  const type = types.get(turn.tile);
  const none = turn.deployment === undefined && turn.recall === undefined;
  return (
    <div class="options tiles">
      <button type="button" class="option" aria-pressed={none} data-figure-choice="none" onClick={() => onChoose(undefined)}>
        <TileThumb type={type} rotation={turn.rotation} />
        <small>{texts.say("correct.figure.none")}</small>
      </button>
      {choice.deployments.map((deployment) => {
        const place = featureName(texts, type?.segments[deployment.segment]?.kind);
        return (
          <button
            key={`${deployment.kind}/${deployment.segment}`}
            type="button"
            class="option"
            aria-pressed={sameDeployment(turn.deployment, deployment)}
            data-figure-choice={deployment.segment}
            data-figure-kind={FigureKind[deployment.kind]}
            onClick={() => onChoose(deployment)}
          >
            <TileThumb type={type} rotation={turn.rotation} figure={{ colour: turn.colour, ...deployment }} />
            <small>{deployment.kind === FigureKind.FOLLOWER ? place : texts.named(figureName(texts, deployment.kind), place)}</small>
          </button>
        );
      })}
      {choice.recalls.map((cell) => (
        <button
          key={`${cell.x},${cell.y}`}
          type="button"
          class="option"
          aria-pressed={sameCell(turn.recall, cell)}
          onClick={() => onChoose(undefined, cell)}
        >
          <TileThumb type={type} rotation={turn.rotation} />
          <small>{texts.say("correct.recall")}</small>
        </button>
      ))}
    </div>
  );
}
