import { useEffect, useRef, useState } from "preact/hooks";
import { TileThumb } from "../../draw/thumb";
import type { EnrolledTile } from "../../gen/tilewarden/v1/enrolment_pb";
import type { TileTypes } from "../../live/use_game";
import { useTexts } from "../../texts/texts";
import { tileWords } from "../words";

// A tile as the camera saw it, turned to how its drawing stands.
export function EnrolledPicture({ tile }: { tile: EnrolledTile }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([new Uint8Array(tile.picture)], { type: "image/jpeg" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [tile.number, tile.picture.length]);
  return (
    <svg class="thumb" viewBox="0 0 100 100" aria-hidden="true">
      {address && <image href={address} width="100" height="100" transform={`rotate(${tile.turns * -90} 50 50)`} />}
    </svg>
  );
}

interface Props {
  tile: EnrolledTile;
  types: TileTypes;
  busy: boolean;
  // Empty: no tile of this box. Turns, where a person says them.
  onName: (tile: string, turns?: number) => void;
  onLeave: () => void;
}

// What a tile is: the likely types first, then all.
export function TileNaming({ tile, types, busy, onName, onLeave }: Props) {
  const texts = useTexts();
  const title = useRef<HTMLHeadingElement>(null);
  const [all, setAll] = useState(false);
  useEffect(() => title.current?.focus(), []);
  const likely = [...new Set([tile.tile, ...tile.others])].filter(Boolean);
  const shown = all || likely.length === 0 ? [...types.keys()] : likely;
  return (
    <section class="card enrol-naming" aria-labelledby="naming-title" onKeyDown={(event) => event.key === "Escape" && onLeave()}>
      <div class="enrol-naming-head">
        <EnrolledPicture tile={tile} />
        <div>
          <h3 id="naming-title" ref={title} tabIndex={-1}>{texts.say("enrol.which", { number: tile.number })}</h3>
          <button type="button" class="option" disabled={busy || !tile.tile} onClick={() => onName(tile.tile, (tile.turns + 1) % 4)}>
            {texts.say("enrol.turn")}
          </button>
        </div>
      </div>
      <div class="options tiles">
        {shown.map((id) => (
          <button key={id} type="button" class="option" data-name={id} disabled={busy} aria-pressed={tile.tile === id} aria-label={`${id}, ${tileWords(texts, types.get(id), 0)}`} onClick={() => onName(id, id === tile.tile ? tile.turns : undefined)}>
            <TileThumb type={types.get(id)} rotation={0} />
            <small>{id}</small>
          </button>
        ))}
      </div>
      <div class="enrol-steps">
        {likely.length > 0 && (
          <button type="button" class="wide-button quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? texts.say("correct.fewer") : texts.count("enrol.all", types.size)}
          </button>
        )}
        <button type="button" class="wide-button quiet" disabled={busy} onClick={() => onName("")}>{texts.say("enrol.none")}</button>
        <button type="button" class="wide-button quiet" onClick={onLeave}>{texts.say("correct.leave")}</button>
      </div>
    </section>
  );
}
