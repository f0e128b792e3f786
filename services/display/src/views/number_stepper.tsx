import { useTexts } from "../texts/texts";

export const MOST_POINTS = 500;

interface Props {
  label: string;
  min: number;
  value: number;
  onChange: (points: number) => void;
}

// Points, one by one or typed.
export function NumberStepper({ label, min, value, onChange }: Props) {
  const texts = useTexts();
  const set = (points: number) => onChange(Math.max(min, Math.min(MOST_POINTS, Math.trunc(points) || 0)));
  return (
    <div class="stepper" role="group" aria-label={label}>
      <button type="button" class="option" aria-label={texts.say("points.less")} onClick={() => set(value - 1)}>−</button>
      <label>
        <span class="for-listeners">{label}</span>
        <input type="number" min={min} max={MOST_POINTS} value={value} onInput={(e) => set(Number(e.currentTarget.value))} />
      </label>
      <button type="button" class="option" aria-label={texts.say("points.more")} onClick={() => set(value + 1)}>+</button>
    </div>
  );
}
