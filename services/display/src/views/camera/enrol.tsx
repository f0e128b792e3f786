import "../../styles/tile_editor.css";
import "../../styles/enrol.css";
import { useState } from "preact/hooks";
import { TileThumb } from "../../draw/thumb";
import type { EnrolledTile, Enrolment } from "../../gen/tilewarden/v1/enrolment_pb";
import { useServices } from "../../live/client";
import { useAnswer } from "../../live/use_answer";
import { useEnrolment } from "../../live/use_enrolment";
import { tileTypesOf, type TileTypes } from "../../live/use_game";
import type { View } from "../../model/view";
import { useTexts } from "../../texts/texts";
import { NoCamera } from "./no_camera";
import { LivePicture } from "./camera_picture";
import { EnrolledPicture, TileNaming } from "./tile_naming";
import { percent, tileWords } from "../words";

// A box laid under the camera: each tile that is found with its name, doubtful ones first,
// corrected by touch, and saved.
export function Enrol({ view }: { view: View | undefined }) {
  const texts = useTexts();
  const { query, game } = useServices();
  const { enrolment, busy, error, absent, carryOut } = useEnrolment();
  const { value: sets } = useAnswer((signal) => query.listTileSets({}, { signal }), []);
  const [wished, setWished] = useState("");
  const box = enrolment?.tileSet || wished || view?.tileSet || sets?.tileSets.find(({ addition }) => !addition)?.id || "";
  const { value: types } = useAnswer(
    box ? async (signal) => tileTypesOf((await game.getTileSet({ tileSet: box }, { signal })).tiles) : undefined,
    [game, box],
  );
  const [number, setNumber] = useState<number | undefined>();
  const chosen = enrolment?.tiles.find((tile) => tile.number === number);
  // Above what asks for its name.
  const choose = (number: number, card: HTMLElement) => {
    setNumber(number);
    requestAnimationFrame(() => card.scrollIntoView({ block: "start" }));
  };
  // The next doubtful tile, once the one before has been corrected.
  const name = async (tile: string, turns?: number) => {
    const done = await carryOut({ kind: "name", number: number ?? 0, tile, ...(turns !== undefined && { turns }) });
    if (done) setNumber(undefined);
  };
  if (absent) return <NoCamera />;
  if (!enrolment) return <main class="no-game"><p role={error ? "alert" : "status"} dir="auto">{error ?? texts.say("camera.reading")}</p></main>;
  const doubts = enrolment.tiles.filter(({ doubtful }) => doubtful).length;
  const ids = sets ? [...new Set([...sets.tileSets.filter(({ addition }) => !addition).map(({ id }) => id), box])] : [box];
  return (
    <main class="enrol-view" tabIndex={0}>
      <div class="tiles-head">
        <h2>{texts.say("enrol.title")}</h2>
        <label class="field">
          <span class="for-listeners">{texts.say("new.box")}</span>
          <select value={box} disabled={enrolment.looks > 0} onChange={(e) => setWished(e.currentTarget.value)}>
            {ids.map((id) => <option key={id} value={id}>{texts.setName(sets?.tileSets.find((set) => set.id === id) ?? { id, name: id })}</option>)}
          </select>
        </label>
      </div>
      <p class="note">{texts.say(enrolment.looks === 0 ? "enrol.how" : "enrol.more")}</p>
      <div class="enrol-steps">
        <button type="button" class="wide-button" disabled={busy !== undefined || enrolment.looks >= enrolment.mostLooks} onClick={() => void carryOut({ kind: "look", tileSet: box })}>
          {texts.say(busy === "look" ? "enrol.looking" : enrolment.looks === 0 ? "enrol.look" : "enrol.look.again")}
        </button>
        {enrolment.looks > 0 && (
          <button type="button" class="wide-button quiet" disabled={busy !== undefined} onClick={() => void carryOut({ kind: "drop", look: enrolment.looks })}>
            {texts.say("enrol.drop")}
          </button>
        )}
        {enrolment.looks > 0 && (
          <button type="button" class="wide-button" disabled={busy !== undefined || doubts > 0 || enrolment.kept} onClick={() => void carryOut({ kind: "keep" })}>
            {texts.say("enrol.keep")}
          </button>
        )}
      </div>
      {error && <p class="refused" role="alert" dir="auto">{error}</p>}
      <LivePicture />
      {enrolment.looks > 0 && <Summary enrolment={enrolment} doubts={doubts} types={types} />}
      <ul class="tile-shelf enrol-shelf">
        {enrolment.tiles.map((tile) => (
          <li key={tile.number}>
            <FoundTile tile={tile} types={types} chosen={tile.number === number} onChoose={(card) => choose(tile.number, card)} />
          </li>
        ))}
      </ul>
      {chosen && types && <TileNaming key={chosen.number} tile={chosen} types={types} busy={busy !== undefined} onName={(tile, turns) => void name(tile, turns)} onLeave={() => setNumber(undefined)} />}
    </main>
  );
}

// What was found, what a person should look at, what is not there.
function Summary({ enrolment, doubts, types }: { enrolment: Enrolment; doubts: number; types: TileTypes | undefined }) {
  const texts = useTexts();
  const tone = enrolment.kept ? "good" : doubts > 0 ? "warning" : "good";
  const found = `${texts.count("enrol.found", enrolment.tiles.length)} ${texts.count("enrol.looks", enrolment.looks)}`;
  return (
    <div class={`health health-${tone} enrol-summary`} role="status" data-doubts={doubts} data-kept={enrolment.kept ? "" : undefined}>
      <strong>{texts.say(enrolment.kept ? "enrol.kept" : doubts > 0 ? "enrol.doubts" : "enrol.clear")}</strong>
      <span>{found}{doubts > 0 && `, ${texts.count("enrol.doubtful", doubts)}`}</span>
      {enrolment.kept && <span>{texts.say("enrol.kept.more")}</span>}
      {enrolment.missing.length > 0 && (
        <details class="enrol-missing">
          <summary>{texts.count("enrol.missing", enrolment.missing.length)}</summary>
          <ul>
            {enrolment.missing.map(({ tile, found: there, copies }) => (
              <li key={tile} data-missing={tile}>
                <TileThumb type={types?.get(tile)} rotation={0} />
                <span>{tile}</span>
                <small>{texts.say("enrol.missing.of", { found: there, copies })}</small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface FoundProps {
  tile: EnrolledTile;
  types: TileTypes | undefined;
  chosen: boolean;
  onChoose: (card: HTMLElement) => void;
}

function FoundTile({ tile, types, chosen, onChoose }: FoundProps) {
  const texts = useTexts();
  const state = tile.confirmed ? "confirmed" : tile.doubtful ? "doubtful" : undefined;
  const name = tile.tile || texts.say("enrol.none");
  const words = [texts.say("enrol.tile", { number: tile.number }), name, state && texts.say(`enrol.state.${state}`), tileWords(texts, types?.get(tile.tile), 0)];
  return (
    <button type="button" class="option" data-number={tile.number} data-named={tile.tile} aria-pressed={chosen} aria-label={words.filter(Boolean).join(", ")} onClick={(event) => onChoose(event.currentTarget)}>
      <span class="enrol-pair">
        <EnrolledPicture tile={tile} />
        {tile.tile && <TileThumb type={types?.get(tile.tile)} rotation={0} />}
      </span>
      <span>{name}</span>
      {state && <small class={`tile-state state-${state}`}>{texts.say(`enrol.state.${state}`)}{state === "doubtful" && ` ${percent(texts, tile.probability)}`}</small>}
    </button>
  );
}
