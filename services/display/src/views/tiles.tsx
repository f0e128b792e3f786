import "../styles/tile_editor.css";
import { useEffect, useState } from "preact/hooks";
import { TileThumb } from "../draw/thumb";
import { TileOrigin, type TileEntry } from "../gen/tilewarden/v1/tiles_pb";
import { useServices } from "../live/client";
import { useAnswer } from "../live/use_answer";
import { useTileEntries } from "../live/use_tiles";
import { draftOf, freeId, newDraft, type Draft } from "../model/tile_draft";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { TileEditor } from "./tile_editor";
import { tileWords } from "./words";

const HOME = "home";

// What is being drawn: a tile of the list, or a new one.
interface Chosen {
  readonly entry: TileEntry | undefined;
  readonly draft: Draft;
}

// The tiles of a box, and the owner's own: to look at, to correct, to add to.
export function Tiles({ view }: { view: View | undefined }) {
  const texts = useTexts();
  const { query } = useServices();
  const [version, setVersion] = useState(0);
  const { value: sets } = useAnswer((signal) => query.listTileSets({}, { signal }), [version]);
  const [tileSet, setTileSet] = useState("");
  const { value: entries, error, fresh } = useTileEntries(tileSet, version);
  const [chosen, setChosen] = useState<Chosen | undefined>();
  useEffect(() => {
    if (sets) setTileSet((now) => now || (view?.tileSet.split("+")[0] ?? sets.tileSets[0]?.id ?? ""));
  }, [sets]);
  if (chosen) {
    const leave = (kept: boolean) => {
      if (kept) setVersion(version + 1);
      if (kept && !chosen.entry) setTileSet(HOME);
      setChosen(undefined);
    };
    return <TileEditor view={view} entry={chosen.entry} first={chosen.draft} onLeave={leave} />;
  }
  const ids = sets?.tileSets.map(({ id }) => id).filter((id) => id !== HOME) ?? [];
  const nameOf = (id: string) => texts.setName(sets?.tileSets.find((set) => set.id === id) ?? { id, name: id });
  const own = tileSet === HOME && fresh ? entries : undefined;
  return (
    <main class="tiles-view">
      <div class="tiles-head">
        <h2>{texts.say("tiles.title")}</h2>
        <label class="field">
          <span class="for-listeners">{texts.say("new.box")}</span>
          <select value={tileSet} onChange={(e) => setTileSet(e.currentTarget.value)}>
            {[...ids, HOME].map((id) => (
              <option key={id} value={id}>{nameOf(id)}</option>
            ))}
          </select>
        </label>
        {own && (
          <button type="button" class="wide-button" onClick={() => setChosen({ entry: undefined, draft: newDraft(freeId(own)) })}>
            {texts.say("tiles.new")}
          </button>
        )}
      </div>
      <p class="note">{texts.say(tileSet === HOME ? "tiles.more.home" : "tiles.more")}</p>
      {error && <p class="refused" role="alert" dir="auto">{error}</p>}
      {own?.length === 0 && <p class="empty">{texts.say("tiles.none")}</p>}
      <ul class="tile-shelf">
        {entries?.map((entry) => (
          <li key={entry.definition?.id}>
            <TileButton entry={entry} onChoose={() => setChosen({ entry, draft: draftOf(entry) })} />
          </li>
        ))}
      </ul>
    </main>
  );
}

function TileButton({ entry, onChoose }: { entry: TileEntry; onChoose: () => void }) {
  const texts = useTexts();
  const { definition, drawing, origin } = entry;
  const state = origin === TileOrigin.CORRECTED ? "corrected" : definition?.assumed ? "assumed" : undefined;
  const copies = texts.count("tiles.copies", drawing?.count ?? 0);
  const words = [definition?.id, copies, state && texts.say(`tiles.${state}`), tileWords(texts, drawing, 0)];
  return (
    <button type="button" class="option" data-tile={definition?.id} aria-label={words.filter(Boolean).join(", ")} onClick={onChoose}>
      <TileThumb type={drawing} rotation={0} />
      <span>{definition?.id} <small>×{drawing?.count}</small></span>
      {state && <small class={`tile-state state-${state}`}>{texts.say(`tiles.${state}`)}</small>}
    </button>
  );
}
