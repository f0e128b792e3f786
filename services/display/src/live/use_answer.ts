import { useEffect, useRef, useState } from "preact/hooks";
import { wordsOf } from "./client";

export interface Answer<T> {
  readonly value: T | undefined;
  // What a person should know when there is none.
  readonly error: string | undefined;
  // False: it answers what was asked before.
  readonly fresh: boolean;
}

const NOTHING = { value: undefined, error: undefined, fresh: true };

const same = (a: readonly unknown[], b: readonly unknown[]) => a.length === b.length && a.every((one, i) => Object.is(one, b[i]));

// Asks anew whenever `about` changes, keeps the answer before until the next one
// is there, and forgets what comes too late. Undefined `ask`: nothing is asked.
export function useAnswer<T>(ask: ((signal: AbortSignal) => Promise<T>) | undefined, about: readonly unknown[]): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>(NOTHING);
  // What the answer is about. Effects run after the page was drawn: until then it is of old.
  const answered = useRef<readonly unknown[] | undefined>();
  useEffect(() => {
    if (!ask) {
      answered.current = undefined;
      setAnswer(NOTHING);
      return;
    }
    const asking = new AbortController();
    setAnswer((before) => ({ ...before, fresh: false }));
    const told = (next: Answer<T>) => {
      if (asking.signal.aborted) return;
      answered.current = about;
      setAnswer(next);
    };
    ask(asking.signal).then(
      (value) => told({ value, error: undefined, fresh: true }),
      (error: unknown) => told({ value: undefined, error: wordsOf(error), fresh: true }),
    );
    return () => asking.abort();
  }, about);
  return { ...answer, fresh: answer.fresh && (answered.current === undefined || same(answered.current, about)) };
}
