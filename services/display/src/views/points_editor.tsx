import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { PlayerOptions } from "./player_options";

// Points that somebody is about to give or take away.
export interface PointsDraft {
  readonly colour: string;
  // Below 0: taken away.
  readonly points: number;
  readonly reason: string;
}

export const MOST_POINTS = 500;
const LONGEST_REASON = 60;

interface Props {
  view: View;
  draft: PointsDraft;
  onChange: (draft: PointsDraft) => void;
}

// Whose points, how many, and why: the points of the turns stay as they are.
export function PointsEditor({ view, draft, onChange }: Props) {
  const texts = useTexts();
  const set = (points: number) => onChange({ ...draft, points: Math.max(-MOST_POINTS, Math.min(MOST_POINTS, Math.trunc(points) || 0)) });
  return (
    <div class="points-editor">
      <PlayerOptions view={view} legend={texts.say("points.whose")} chosen={draft.colour} onChoose={(colour) => onChange({ ...draft, colour })} />
      <div class="stepper" role="group" aria-label={texts.say("points.how-many")}>
        <button type="button" class="option" aria-label={texts.say("points.less")} onClick={() => set(draft.points - 1)}>−</button>
        <label>
          <span class="for-listeners">{texts.say("points.how-many")}</span>
          <input type="number" min={-MOST_POINTS} max={MOST_POINTS} value={draft.points} onInput={(e) => set(Number(e.currentTarget.value))} />
        </label>
        <button type="button" class="option" aria-label={texts.say("points.more")} onClick={() => set(draft.points + 1)}>+</button>
      </div>
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
