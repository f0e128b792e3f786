import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { useEffect, useRef, useState } from "preact/hooks";
import { AccessService, type Role } from "../gen/tilewarden/v1/access_pb";
import { useServices, wordsOf } from "../live/client";
import { useTexts, type TextKey } from "../texts/texts";

const LONGEST_DEVICE = 100;

// Why the service refuses, in the reader's language.
const REFUSALS: Partial<Record<Code, TextKey>> = {
  [Code.InvalidArgument]: "pair.wrong",
  [Code.ResourceExhausted]: "pair.wait",
};

// Lets this device in with a code; one that came with the address is tried at once.
export function Pair({ code: given, onIn }: { code: string; onIn: (token: string, role: Role) => void }) {
  const texts = useTexts();
  const { transport } = useServices();
  const [code, setCode] = useState(given);
  const [device, setDevice] = useState("");
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const enter = async (entered: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { token, role } = await createClient(AccessService, transport).pair({ code: entered, device });
      onIn(token, role);
    } catch (error) {
      const key = REFUSALS[ConnectError.from(error).code];
      setProblem(key ? texts.say(key) : wordsOf(error));
      setBusy(false);
      field.current?.focus();
    }
  };
  useEffect(() => {
    if (given) void enter(given);
    else field.current?.focus();
  }, [given]);

  return (
    <main class="pair-view">
      <form
        class="card"
        aria-labelledby="pair-title"
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim()) void enter(code);
        }}
      >
        <h1 id="pair-title">{texts.say("pair.title")}</h1>
        <p>{texts.say("pair.more")}</p>
        <label>
          <span>{texts.say("pair.code")}</span>
          <input
            ref={field}
            class="pair-code"
            value={code}
            maxLength={20}
            autocomplete="one-time-code"
            autocapitalize="characters"
            spellcheck={false}
            required
            aria-invalid={problem !== undefined}
            aria-describedby={problem && "pair-problem"}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
        <label>
          <span>{texts.say("pair.device")}</span>
          <input value={device} maxLength={LONGEST_DEVICE} dir="auto" onInput={(event) => setDevice(event.currentTarget.value)} />
        </label>
        {problem && (
          <p id="pair-problem" class="refused" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="wide-button" disabled={busy}>
          {texts.say("pair.enter")}
        </button>
      </form>
    </main>
  );
}
