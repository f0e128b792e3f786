import { useEffect, useState } from "preact/hooks";
import type { Link } from "../live/watcher";
import type { View } from "../model/view";
import { addressOf, type Route } from "../route";
import { useTexts } from "../texts/texts";
import { FindingWords, foremost, placeInQuestion, toneOf } from "./findings";

// A short hiccup that fixes itself is not mentioned.
const PATIENCE_MS = 900;

export function usePatientLink(link: Link): Link {
  const [shown, setShown] = useState<Link>(link);
  useEffect(() => {
    if (link !== "stale") {
      setShown(link);
      return;
    }
    const timer = setTimeout(() => setShown("stale"), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [link]);
  return shown;
}

interface Props {
  view: View | undefined;
  link: Link;
  route: Route;
  spectator: boolean;
  // Sentences for whoever keeps the games.
  warnings: readonly string[];
}

// What must be seen whatever is shown: that the connection is lost, and what is not
// right on the table. The board says the latter by itself, beside the tile.
export function Alerts({ view, link, route, spectator, warnings }: Props) {
  const texts = useTexts();
  const shown = usePatientLink(link);
  const finding = view && route.view !== "board" ? foremost(view.findings) : undefined;
  const place = view && finding && placeInQuestion(view, finding);
  const correcting = route.view === "correct" && !spectator;
  return (
    <>
      {shown === "stale" && <p class="alert alert-link" role="status">{texts.say("link.stale.more")}</p>}
      {warnings.map((warning) => <p key={warning} class="alert alert-link" role="status" dir="auto" data-alert="warning">{warning}</p>)}
      {view && finding && (
        <div class={`alert banner-${toneOf(finding)}`} role="alert" data-alert={finding.code}>
          <FindingWords view={view} finding={finding} />
          {!correcting && (
            <a class="banner-hand" href={addressOf({ view: "board", gameId: view.gameId })}>
              {texts.say("finding.show")}
            </a>
          )}
          {correcting && place && place !== route.detail && (
            <a class="banner-hand" href={addressOf({ view: "correct", gameId: view.gameId, detail: place })}>
              {texts.say("finding.go")}
            </a>
          )}
        </div>
      )}
    </>
  );
}
