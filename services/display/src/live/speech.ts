// Says short sentences aloud, if somebody wants that, with a voice that this device has itself: what
// is said must not leave the house, and some browsers' voices speak from afar.

type Voices = Pick<SpeechSynthesis, "getVoices" | "speak" | "cancel">;

// Who plays fast is not told of long ago: the oldest go unsaid.
const MOST_WAITING = 3;
// Some browsers never tell that a sentence has ended.
const LONGEST_MS = 10_000;

export function voiceFor(language: string, voices: readonly SpeechSynthesisVoice[]): SpeechSynthesisVoice | undefined {
  const own = voices.filter(({ lang, localService }) => localService && lang.toLowerCase().split(/[-_]/)[0] === language);
  return own.find((voice) => voice.default) ?? own[0];
}

export class Speaker {
  private on = false;
  private language = "en";
  private waiting: string[] = [];
  // Ends the sentence that is being said.
  private done: (() => void) | undefined;

  constructor(
    private readonly voices: Voices | undefined,
    private readonly sentence = (words: string) => new SpeechSynthesisUtterance(words),
  ) {}

  turn(on: boolean, language: string): void {
    this.on = on;
    this.language = language;
    // Some browsers begin to look for voices when they are first asked for them.
    if (on) this.voices?.getVoices();
    else this.hush();
  }

  say(words: string): void {
    if (!this.on || !words) return;
    this.waiting = [...this.waiting, words].slice(-MOST_WAITING);
    if (!this.done) this.next();
  }

  hush(): void {
    this.waiting = [];
    if (this.done) this.voices?.cancel();
    this.done?.();
  }

  private next(): void {
    const voice = this.voices && voiceFor(this.language, this.voices.getVoices());
    // Silence is better than a voice that reads another language.
    if (!voice) this.waiting = [];
    const words = this.waiting.shift();
    if (!voice || words === undefined) return;
    const said = this.sentence(words);
    said.voice = voice;
    said.lang = voice.lang;
    const over = setTimeout(() => {
      this.voices?.cancel();
      done();
    }, LONGEST_MS);
    const done = () => {
      if (this.done !== done) return;
      clearTimeout(over);
      this.done = undefined;
      this.next();
    };
    this.done = done;
    said.onend = said.onerror = done;
    this.voices?.speak(said);
  }
}

export const speaker = new Speaker(globalThis.speechSynthesis);
