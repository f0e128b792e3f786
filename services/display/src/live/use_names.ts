// What players were called before, by their colours: on this device, and in the games that this
// house has played.
import { useEffect, useState } from "preact/hooks";
import type { Seat } from "../model/new_game";
import { localStorageOrNone } from "../settings";
import { useServices } from "./client";

const KEY = "tilewarden.names";

export function useNames(): ReadonlyMap<string, string> {
  const { game } = useServices();
  const [named, setNamed] = useState<ReadonlyMap<string, string>>(keptNames);
  useEffect(() => {
    const asking = new AbortController();
    game.listGames({}, { signal: asking.signal }).then(
      ({ games }) => {
        const names = new Map(keptNames());
        for (const { players } of games) {
          for (const { colour, name } of players) if (name !== colour && !names.has(colour)) names.set(colour, name);
        }
        setNamed(names);
      },
      () => {},
    );
    return () => asking.abort();
  }, [game]);
  return named;
}

function keptNames(): ReadonlyMap<string, string> {
  try {
    const kept: unknown = JSON.parse(localStorageOrNone()?.getItem(KEY) ?? "{}");
    return new Map(Object.entries(kept ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return new Map();
  }
}

export function keepNames(seats: readonly Seat[]): void {
  const names = new Map(keptNames());
  for (const { colour, name } of seats) if (name.trim()) names.set(colour, name.trim());
  keep(names);
}

// Somebody is deleted.
export function forgetName(name: string): void {
  keep(new Map([...keptNames()].filter(([, kept]) => kept !== name)));
}

function keep(names: ReadonlyMap<string, string>): void {
  try {
    localStorageOrNone()?.setItem(KEY, JSON.stringify(Object.fromEntries(names)));
  } catch {
    // A browser that keeps nothing asks again.
  }
}
