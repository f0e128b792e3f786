import { useEffect, useRef } from "preact/hooks";
import { useTexts } from "../../texts/texts";
import { EvidencePair, type EvidenceProps } from "../evidence";

// The pictures as large as the screen allows; a touch beside them closes, too.
export function EvidenceLarge({ lit, evidence, past, words, onClose }: EvidenceProps & { words: readonly string[]; onClose: () => void }) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class="settings evidence-large"
      aria-labelledby="evidence-title"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <h2 id="evidence-title">{texts.say("evidence.title")}</h2>
      {words.filter(Boolean).map((line) => <p key={line} dir="auto">{line}</p>)}
      <EvidencePair lit={lit} evidence={evidence} past={past} />
      <button type="button" class="wide-button" onClick={close}>
        {texts.say("settings.close")}
      </button>
    </dialog>
  );
}
