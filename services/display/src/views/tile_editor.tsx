import { useEffect, useRef, useState } from "preact/hooks";
import { SegmentKind, type TileType } from "../gen/tilewarden/v1/game_pb";
import { TileOrigin, type CheckTileResponse, type TileEntry } from "../gen/tilewarden/v1/tiles_pb";
import { wordsOf } from "../live/client";
import { useTileCheck, useTileKeeper } from "../live/use_tiles";
import { hasPlot, isHomeMade, known, PLOTS, withFieldsByHand, withLine, withPlot, withSpot, type Draft } from "../model/tile_draft";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { SegmentList } from "./segment_list";
import { TileCanvas, type Tool } from "./tile_canvas";
import { TilePicture, usePictureUnder } from "./tile_picture";
import { featureName } from "./words";

interface Props {
  view: View | undefined;
  // Undefined: a new home-made tile.
  entry: TileEntry | undefined;
  // Every draft of it so far, oldest first.
  first: readonly Draft[];
  // Whether it may be saved from here.
  mayOwn: boolean;
  onDrawn: (drafts: readonly Draft[]) => void;
  onLeave: (kept: boolean) => void;
}

const TOOLS: readonly Tool[] = [SegmentKind.CITY, SegmentKind.ROAD, SegmentKind.RIVER, SegmentKind.FIELD];

// A tile to draw and to correct. What the engine service's checker says of it is
// shown with every stroke; nothing is kept before it is saved.
export function TileEditor({ view, entry, first, mayOwn, onDrawn, onLeave }: Props) {
  const texts = useTexts();
  const keeper = useTileKeeper();
  const { draft, change, undo } = useDraft(first, onDrawn);
  const check = useTileCheck(draft);
  const drawing = useLastDrawing(check.value?.drawing, entry?.drawing);
  // With the fields that the service worked out.
  const shown: Draft = check.fresh && check.value?.definition ? { ...draft, definition: check.value.definition } : draft;
  const [tool, setTool] = useState<Tool>(SegmentKind.ROAD);
  const [segment, setSegment] = useState<number | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const picture = usePictureUnder(view, draft.definition.id);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const draw = (next: Draft) => {
    change(next);
    setSegment(undefined);
  };
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await act();
      onLeave(true);
    } catch (failure) {
      setProblem(wordsOf(failure));
      setBusy(false);
    }
  };
  const good = check.fresh && check.value?.drawing !== undefined && !check.error;
  const { id } = draft.definition;
  return (
    <main class="tile-editor">
      <section class="tile-table">
        <h2 ref={title} tabIndex={-1}>{entry ? texts.say("tiles.edit", { tile: id }) : texts.say("tiles.new")}</h2>
        {!mayOwn && <p class="role-note" role="note">{texts.say("tiles.may-not")}</p>}
        <TileCanvas
          draft={shown}
          drawing={drawing}
          tool={tool}
          segment={segment}
          picture={picture}
          onLine={(from, to) => draw(withLine(shown, tool, from, to))}
          onSegment={setSegment}
          onSpot={(index, spot) => change(withSpot(shown, index, spot))}
        />
        <div class="tools" role="group" aria-label={texts.say("tiles.tool")}>
          {TOOLS.map((kind) => (
            <button key={kind} type="button" class="option" aria-pressed={tool === kind} data-tool={kind} onClick={() => setTool(kind)}>
              {featureName(texts, kind)}
            </button>
          ))}
        </div>
        <p class="note">{texts.say(tool === SegmentKind.FIELD ? "tiles.tool.field" : "tiles.tool.line")}</p>
        <TilePicture picture={picture} />
      </section>
      <section class="tile-facts">
        {isHomeMade(entry) && <HomeMade draft={draft} named={entry !== undefined} onChange={change} />}
        <div class="tools" role="group" aria-label={texts.say("tiles.plots")}>
          {PLOTS.map((kind) => (
            <button key={kind} type="button" class="option" aria-pressed={hasPlot(shown, kind)} data-plot={kind} onClick={() => draw(withPlot(shown, kind, !hasPlot(shown, kind)))}>
              {featureName(texts, kind)}
            </button>
          ))}
        </div>
        <SegmentList draft={shown} chosen={segment} onChoose={setSegment} onChange={change} />
        <label class="setting">
          <span>{texts.say("tiles.fields.follow")}</span>
          <input type="checkbox" role="switch" checked={draft.drawFields} onChange={(e) => change(withFieldsByHand(shown, !e.currentTarget.checked))} />
        </label>
        <label class="setting">
          <span>{texts.say("tiles.gingerbread")}</span>
          <input
            type="checkbox"
            role="switch"
            checked={draft.definition.gingerbread}
            onChange={(e) => change({ ...shown, definition: { ...shown.definition, gingerbread: e.currentTarget.checked } })}
          />
        </label>
        {check.value?.text && (
          <details class="file-lines">
            <summary>{texts.say("tiles.lines", { line: check.value.firstLine })}</summary>
            <pre tabIndex={0}>{check.value.text}</pre>
          </details>
        )}
        <div class="decision">
          <Verdict check={check.value} problem={problem ?? check.error} fresh={check.fresh} />
          <div class="correct-buttons">
            <button type="button" class="wide-button quiet" disabled={!undo} onClick={undo}>{texts.say("tiles.undo")}</button>
            <button type="button" class="wide-button quiet" onClick={() => onLeave(false)}>{texts.say("correct.leave")}</button>
          </div>
          {entry && entry.origin !== TileOrigin.BOX && (
            <button type="button" class="wide-button quiet" disabled={busy || !mayOwn} onClick={() => void attempt(() => keeper.takeBack(id))}>
              {texts.say(isHomeMade(entry) ? "tiles.remove" : "tiles.take-back")}
            </button>
          )}
          <button type="button" class="wide-button" disabled={!good || busy || !mayOwn} onClick={() => void attempt(() => keeper.keep({ ...shown, definition: known(shown) }))}>
            {texts.say("tiles.save")}
          </button>
        </div>
      </section>
    </main>
  );
}

// The draft with every one before it.
function useDraft(first: readonly Draft[], onDrawn: (drafts: readonly Draft[]) => void) {
  const [drafts, setDrafts] = useState(first);
  useEffect(() => onDrawn(drafts), [drafts]);
  return {
    draft: drafts[drafts.length - 1]!,
    change: (next: Draft) => setDrafts([...drafts, next]),
    undo: drafts.length > 1 ? () => setDrafts(drafts.slice(0, -1)) : undefined,
  };
}

// What cannot be drawn leaves the drawing as it was.
function useLastDrawing(drawing: TileType | undefined, first: TileType | undefined): TileType | undefined {
  const last = useRef(first);
  if (drawing) last.current = drawing;
  return last.current;
}

// What only a home-made tile has: a name, once, and its copies.
function HomeMade({ draft, named, onChange }: { draft: Draft; named: boolean; onChange: (draft: Draft) => void }) {
  const texts = useTexts();
  return (
    <div class="new-tile">
      {!named && (
        <label class="field">
          <span>{texts.say("tiles.id")}</span>
          <input
            type="text"
            maxLength={32}
            value={draft.definition.id}
            onInput={(e) => onChange({ ...draft, definition: { ...draft.definition, id: e.currentTarget.value } })}
          />
        </label>
      )}
      <label class="field">
        <span>{texts.say("tiles.how-many")}</span>
        <input type="number" min={1} max={100} value={draft.copies} onInput={(e) => onChange({ ...draft, copies: Math.trunc(Number(e.currentTarget.value)) || 0 })} />
      </label>
    </div>
  );
}

interface VerdictProps {
  check: CheckTileResponse | undefined;
  problem: string | undefined;
  fresh: boolean;
}

// What the checker says.
function Verdict({ check, problem, fresh }: VerdictProps) {
  const texts = useTexts();
  const fault = problem ?? check?.fault;
  const state = !fresh ? "asking" : fault ? "fault" : "good";
  return (
    <div class={`health health-${fault ? "illegal" : "good"}`} role="status" data-verdict={state}>
      <strong>{texts.say(fault ? "tiles.fault" : "tiles.good")}</strong>
      {fault && <p dir="auto">{fault}</p>}
    </div>
  );
}
