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
// Of the browser's history, while a tile is open.
const EDITING = "tile";

// What is being drawn: a tile of the list, or a new one, with every draft of it so far.
interface Chosen {
  readonly tileSet: string;
  readonly entry: TileEntry | undefined;
  readonly drafts: readonly Draft[];
}

// The drawing that somebody left by going back or to another view.
let left: Chosen | undefined;
const NEW = "";
const idOf = ({ entry }: Chosen) => entry?.definition?.id ?? NEW;

// The tiles of a box, and the owner's own: to look at, to correct, to add to.
export function Tiles({ view, mayOwn }: { view: View | undefined; mayOwn: boolean }) {
  const texts = useTexts();
  const { query } = useServices();
  const [version, setVersion] = useState(0);
  const { value: sets } = useAnswer((signal) => query.listTileSets({}, { signal }), [version]);
  const [tileSet, setTileSet] = useState(left?.tileSet ?? "");
  const { value: entries, error, fresh } = useTileEntries(tileSet, version);
  const [chosen, setChosen] = useState<Chosen | undefined>(() => (history.state === EDITING ? left : undefined));
  useEffect(() => {
    if (sets) setTileSet((now) => now || (view?.tileSet.split("+")[0] ?? sets.tileSets[0]?.id ?? ""));
  }, [sets]);
  // The browser's own way back leads to the list, and the drawing waits there.
  useEffect(() => {
    const back = () => setChosen(history.state === EDITING ? left : undefined);
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const open = (next: Chosen) => {
    left = next;
    history.pushState(EDITING, "");
    setChosen(next);
  };
  if (chosen) {
    const leave = (kept: boolean) => {
      left = undefined;
      if (kept) setVersion(version + 1);
      if (kept && !chosen.entry) setTileSet(HOME);
      setChosen(undefined);
      if (history.state === EDITING) history.back();
    };
    const drawn = (drafts: readonly Draft[]) => (left = { ...chosen, drafts });
    return <TileEditor key={idOf(chosen)} view={view} entry={chosen.entry} first={chosen.drafts} mayOwn={mayOwn} onDrawn={drawn} onLeave={leave} />;
  }
  const begin = (entry: TileEntry | undefined, draft: () => Draft) => {
    const waits = left && left.tileSet === tileSet && idOf(left) === (entry?.definition?.id ?? NEW);
    open(waits && left ? left : { tileSet, entry, drafts: [draft()] });
  };
  const unfinished = left && left.tileSet === tileSet && left.drafts.length > 1 ? left : undefined;
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
          <button type="button" class="wide-button" onClick={() => begin(undefined, () => newDraft(freeId(own)))}>
            {texts.say(unfinished && !unfinished.entry ? "tiles.resume" : "tiles.new")}
          </button>
        )}
      </div>
      <p class="note">{texts.say(tileSet === HOME ? "tiles.more.home" : "tiles.more")}</p>
      {error && <p class="refused" role="alert" dir="auto">{error}</p>}
      {own?.length === 0 && <p class="empty">{texts.say("tiles.none")}</p>}
      <ul class="tile-shelf">
        {entries?.map((entry) => (
          <li key={entry.definition?.id}>
            <TileButton
              entry={entry}
              unfinished={unfinished !== undefined && unfinished.entry?.definition?.id === entry.definition?.id}
              onChoose={() => begin(entry, () => draftOf(entry))}
            />
          </li>
        ))}
      </ul>
    </main>
  );
}

function TileButton({ entry, unfinished, onChoose }: { entry: TileEntry; unfinished: boolean; onChoose: () => void }) {
  const texts = useTexts();
  const { definition, drawing, origin } = entry;
  const state = unfinished ? "unfinished" : origin === TileOrigin.CORRECTED ? "corrected" : definition?.assumed ? "assumed" : undefined;
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
