import { useState } from "preact/hooks";
import { useServices } from "../live/client";
import type { TileTypes } from "../live/use_game";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";

interface Props {
  // The game that the card is of.
  read: () => Promise<{ readonly view: View; readonly types: TileTypes }>;
}

// One touch to a picture of the whole game. What draws it is fetched with the touch.
export function ScorecardButton({ read }: Props) {
  const texts = useTexts();
  const { game } = useServices();
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const make = async () => {
    setState("busy");
    try {
      const [{ giveScorecard }, { view, types }] = await Promise.all([import("./story/story"), read()]);
      await giveScorecard(game, view, types, texts);
      setState("idle");
    } catch {
      setState("failed");
    }
  };
  return (
    <>
      <button type="button" class="wide-button quiet" data-scorecard={state} disabled={state === "busy"} onClick={() => void make()}>
        {texts.say(state === "busy" ? "scorecard.making" : "scorecard.make")}
      </button>
      {state === "failed" && <p class="refused" role="alert">{texts.say("export.failed")}</p>}
    </>
  );
}
