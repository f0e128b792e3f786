import { useEffect, useState } from "preact/hooks";
import type { GameSummary } from "../gen/tilewarden/v1/game_pb";
import type { GameClient } from "./client";

const EVERY_MS = 4_000;

export interface Games {
  // Newest first; undefined until they were read once.
  readonly games: readonly GameSummary[] | undefined;
  readonly failed: boolean;
  // Sentences for whoever keeps the games.
  readonly warnings: readonly string[];
}

// The list of games, read again and again while `active`.
export function useGames(client: GameClient, active: boolean): Games {
  const [list, setList] = useState<Games>({ games: undefined, failed: false, warnings: [] });
  useEffect(() => {
    if (!active) return;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      try {
        const { games, warnings } = await client.listGames({});
        if (!stopped) setList({ games, failed: false, warnings });
      } catch {
        if (!stopped) setList((before) => ({ ...before, failed: true }));
      }
      if (!stopped) timer = setTimeout(() => void read(), EVERY_MS);
    };
    void read();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [client, active]);
  return list;
}
