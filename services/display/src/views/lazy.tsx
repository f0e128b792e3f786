import { h, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../texts/texts";

// A view that few need at first: fetched when it is shown. Meanwhile: a view that says so, a word as
// part of another view, or nothing.
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>, meanwhile: "view" | "word" | "nothing" = "view"): FunctionComponent<P> {
  return function Lazy(props: P) {
    const texts = useTexts();
    const [view, setView] = useState<{ readonly draw: FunctionComponent<P> } | undefined>();
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      let current = true;
      load().then(
        (draw) => current && setView({ draw }),
        () => current && setFailed(true),
      );
      return () => {
        current = false;
      };
    }, []);
    if (view) return h(view.draw, props);
    if (meanwhile === "nothing") return null;
    const words = <p role="status">{texts.say(failed ? "link.stale" : "game.connecting")}</p>;
    return meanwhile === "word" ? words : <main class="no-game">{words}</main>;
  };
}
