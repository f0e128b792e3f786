import { useState } from "preact/hooks";

// Questions that somebody put aside on this device, by game, while the page is open.
const aside = new Map<string, ReadonlySet<number>>();
const NONE: ReadonlySet<number> = new Set();

export function useAside(gameId: string): [ReadonlySet<number>, (question: number, put: boolean) => void] {
  const [, redraw] = useState(0);
  return [
    aside.get(gameId) ?? NONE,
    (question, put) => {
      const next = new Set(aside.get(gameId));
      if (put) next.add(question);
      else next.delete(question);
      aside.set(gameId, next);
      redraw((n) => n + 1);
    },
  ];
}
