// Tables that this device does not want to see in its hall. Kept in the browser.
import { useState } from "preact/hooks";
import { localStorageOrNone } from "../settings";

const KEY = "tilewarden.hidden";
// More tables than any hall has; the oldest are forgotten.
const MOST = 200;

export function readHidden(store: Pick<Storage, "getItem"> | undefined): readonly string[] {
  try {
    const kept: unknown = JSON.parse(store?.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export function keepHidden(store: Pick<Storage, "setItem" | "removeItem"> | undefined, hidden: readonly string[]): void {
  try {
    if (hidden.length > 0) store?.setItem(KEY, JSON.stringify(hidden.slice(-MOST)));
    else store?.removeItem(KEY);
  } catch {
    // A browser that keeps nothing hides them until the page is closed.
  }
}

export interface Hidden {
  has(gameId: string): boolean;
  hide(gameId: string): void;
  show(gameId: string): void;
}

export function useHidden(): Hidden {
  const [hidden, setHidden] = useState(() => readHidden(localStorageOrNone()));
  const change = (next: readonly string[]) => {
    keepHidden(localStorageOrNone(), next);
    setHidden(next);
  };
  return {
    has: (gameId) => hidden.includes(gameId),
    hide: (gameId) => change([...hidden.filter((id) => id !== gameId), gameId]),
    show: (gameId) => change(hidden.filter((id) => id !== gameId)),
  };
}
