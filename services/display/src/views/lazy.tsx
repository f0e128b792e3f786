import { h, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../texts/texts";

// A view that few need at first: fetched when it is shown. `part`: of another view.
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>, part = false): FunctionComponent<P> {
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
    const words = <p role="status">{texts.say(failed ? "link.stale" : "game.connecting")}</p>;
    return part ? words : <main class="no-game">{words}</main>;
  };
}
