import { useEffect, useState } from "preact/hooks";
import { wordsOf } from "./client";

export interface Answer<T> {
  readonly value: T | undefined;
  // What a person should know when there is none.
  readonly error: string | undefined;
  // False: it answers what was asked before.
  readonly fresh: boolean;
}

const NOTHING = { value: undefined, error: undefined, fresh: true };

// Asks anew whenever `about` changes, keeps the answer before until the next one
// is there, and forgets what comes too late. Undefined `ask`: nothing is asked.
export function useAnswer<T>(ask: ((signal: AbortSignal) => Promise<T>) | undefined, about: readonly unknown[]): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>(NOTHING);
  useEffect(() => {
    if (!ask) {
      setAnswer(NOTHING);
      return;
    }
    const asking = new AbortController();
    setAnswer((before) => ({ ...before, fresh: false }));
    ask(asking.signal).then(
      (value) => asking.signal.aborted || setAnswer({ value, error: undefined, fresh: true }),
      (error: unknown) => asking.signal.aborted || setAnswer({ value: undefined, error: wordsOf(error), fresh: true }),
    );
    return () => asking.abort();
  }, about);
  return answer;
}
