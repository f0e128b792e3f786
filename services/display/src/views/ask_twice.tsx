import { useLayoutEffect, useRef } from "preact/hooks";
import { useTexts } from "../texts/texts";

interface Props {
  // What the button says, and what it says to those who do not see beside what it stands.
  label: string;
  which: string;
  // The second question, and its yes.
  sure: string;
  yes: string;
  asked: boolean;
  onAsk: (ask: boolean) => void;
  onSure: () => void;
}

// A button for what cannot be taken back: it asks once more.
export function AskTwice({ label, which, sure, yes, asked, onAsk, onSure }: Props) {
  const texts = useTexts();
  const first = useRef<HTMLButtonElement>(null);
  const asking = useRef(asked);
  // Before the next key is heard: what was pressed is gone, and the key would do nothing.
  useLayoutEffect(() => {
    if (asking.current !== asked) first.current?.focus();
    asking.current = asked;
  }, [asked]);
  if (!asked) {
    return (
      <button ref={first} type="button" class="wide-button quiet" aria-label={which} onClick={() => onAsk(true)}>
        {label}
      </button>
    );
  }
  return (
    <div class="device-sure" role="group" aria-label={which} onKeyDown={(event) => event.key === "Escape" && onAsk(false)}>
      <span>{sure}</span>
      <button ref={first} type="button" class="wide-button" onClick={onSure}>{yes}</button>
      <button type="button" class="wide-button quiet" onClick={() => onAsk(false)}>{texts.say("correct.leave")}</button>
    </div>
  );
}
