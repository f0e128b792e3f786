import { useEffect, useRef } from "preact/hooks";
import { Severity, type Finding } from "../gen/tilewarden/v1/game_pb";

// What on a table needs fixing.
export const openOf = (findings: readonly Finding[] = []): string[] => findings.filter(({ severity }) => severity > Severity.NOTE).map(({ id }) => String(id));

// Two soft notes, and a short buzz where the device can, when something new
// is `open`. Made here: no sound file is needed.
export function useChime(on: boolean, open: readonly string[]): void {
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const isNew = open.some((one) => !known.current.has(one));
    known.current = new Set(open);
    if (!on || !isNew) return;
    navigator.vibrate?.(120);
    const audio = new AudioContext();
    [523, 659].forEach((pitch_hz, i) => {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const from = audio.currentTime + i * 0.18;
      tone.frequency.value = pitch_hz;
      volume.gain.setValueAtTime(0.0001, from);
      volume.gain.exponentialRampToValueAtTime(0.12, from + 0.03);
      volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.5);
      tone.connect(volume).connect(audio.destination);
      tone.start(from);
      tone.stop(from + 0.55);
      if (i === 1) tone.onended = () => void audio.close();
    });
  }, [on, open.join()]);
}
