import { useEffect, useRef } from "preact/hooks";
import { Severity } from "../gen/tilewarden/v1/game_pb";
import type { View } from "../model/view";

// Two soft notes, and a short buzz where the device can, when something new
// needs fixing. Made here: no sound file is needed.
export function useChime(on: boolean, view: View | undefined): void {
  const known = useRef<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const open = (view?.findings ?? []).filter((finding) => finding.severity > Severity.NOTE);
    const isNew = open.some((finding) => !known.current.has(finding.id));
    known.current = new Set(open.map((finding) => finding.id));
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
  }, [on, view?.findings]);
}
