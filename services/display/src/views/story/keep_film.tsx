import { useEffect, useRef, useState } from "preact/hooks";
import { save } from "../../live/keep";
import type { TileTypes } from "../../live/use_game";
import { fileStem } from "../../model/keep";
import type { Script } from "../../model/replay";
import type { View } from "../../model/view";
import { useTexts } from "../../texts/texts";
import { filmFile } from "./film";

type State =
  | { readonly is: "idle" | "failed" }
  | { readonly is: "drawing"; readonly share: number }
  | { readonly is: "kept"; readonly bytes: number };

// The film as a file: how far it is, and a way out of it.
export function KeepFilm({ script, types, view }: { script: Script; types: TileTypes; view: View }) {
  const texts = useTexts();
  const [state, setState] = useState<State>({ is: "idle" });
  const drawing = useRef<AbortController | undefined>();
  useEffect(() => () => drawing.current?.abort(), []);
  const keep = async () => {
    const { signal } = (drawing.current = new AbortController());
    setState({ is: "drawing", share: 0 });
    try {
      const file = await filmFile(script, types, texts, { signal, onShare: (share) => setState({ is: "drawing", share }) });
      if (signal.aborted) return;
      save(`${fileStem(view.name)}.gif`, file);
      setState({ is: "kept", bytes: file.size });
    } catch {
      if (!signal.aborted) setState({ is: "failed" });
    }
  };
  const cancel = () => {
    drawing.current?.abort();
    setState({ is: "idle" });
  };
  return (
    <section class="keep-film" data-film={state.is}>
      {state.is === "drawing" ? (
        <>
          <label>
            <span>{texts.say("replay.keeping")}</span>
            <progress max={1} value={state.share} />
          </label>
          <button type="button" class="wide-button quiet" onClick={cancel}>{texts.say("replay.cancel")}</button>
        </>
      ) : (
        <button type="button" class="wide-button quiet" onClick={() => void keep()}>{texts.say("replay.keep")}</button>
      )}
      <p role="status">
        {state.is === "kept" && texts.say("replay.kept", { size: (state.bytes / 1e6).toLocaleString(texts.language, { maximumFractionDigits: 1 }) })}
      </p>
      {state.is === "failed" && <p class="refused" role="alert">{texts.say("export.failed")}</p>}
    </section>
  );
}
