import type { ComponentChildren } from "preact";
import { Sign } from "../draw/sign";
import { useTexts } from "../texts/texts";

interface Props {
  // Of the steps from 0 to `last`.
  at: number;
  last: number;
  playing: boolean;
  // What this step is called.
  words: string;
  onGo: (to: number) => void;
  onPlay: () => void;
  children?: ComponentChildren;
}

// One step back or forth, play or pause, and any step at once.
export function Scrubber({ at, last, playing, words, onGo, onPlay, children }: Props) {
  const texts = useTexts();
  return (
    <div class="scrubber">
      <button type="button" onClick={() => onGo(at - 1)} disabled={at === 0} aria-label={texts.say("timeline.back")}>
        <Sign d="M4 -7L-5 0L4 7" />
      </button>
      <button type="button" class="play" onClick={onPlay} aria-label={texts.say(playing ? "timeline.pause" : "timeline.play")}>
        <Sign d={playing ? "M-4 -7V7M4 -7V7" : "M-5 -8L8 0L-5 8Z"} />
      </button>
      <button type="button" onClick={() => onGo(at + 1)} disabled={at >= last} aria-label={texts.say("timeline.forward")}>
        <Sign d="M-4 -7L5 0L-4 7" />
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={texts.say("timeline.slider")}
        aria-valuetext={words}
        onInput={(e) => onGo(Number(e.currentTarget.value))}
      />
      <output>{words}</output>
      {children}
    </div>
  );
}
