import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { MOST_POINTS, NumberStepper } from "./number_stepper";
import { PlayerOptions } from "./player_options";

// Points that somebody is about to give or take away.
export interface PointsDraft {
  readonly colour: string;
  // Below 0: taken away.
  readonly points: number;
  readonly reason: string;
}

const LONGEST_REASON = 60;

interface Props {
  view: View;
  draft: PointsDraft;
  onChange: (draft: PointsDraft) => void;
}

// Whose points, how many, and why: the points of the turns stay as they are.
export function PointsEditor({ view, draft, onChange }: Props) {
  const texts = useTexts();
  return (
    <div class="points-editor">
      <PlayerOptions view={view} legend={texts.say("points.whose")} chosen={draft.colour} onChoose={(colour) => onChange({ ...draft, colour })} />
      <NumberStepper label={texts.say("points.how-many")} min={-MOST_POINTS} value={draft.points} onChange={(points) => onChange({ ...draft, points })} />
      <label class="field">
        <span>{texts.say("points.why")}</span>
        <input
          type="text"
          maxLength={LONGEST_REASON}
          placeholder={texts.say("points.why.example")}
          value={draft.reason}
          onInput={(e) => onChange({ ...draft, reason: e.currentTarget.value })}
        />
      </label>
    </div>
  );
}
