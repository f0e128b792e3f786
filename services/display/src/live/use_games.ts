import { useCallback, useEffect, useState } from "preact/hooks";
import type { GameSummary } from "../gen/tilewarden/v1/game_pb";
import type { GameClient } from "./client";

const EVERY_MS = 4_000;

export interface Games {
  // Newest first; undefined until they were read once.
  readonly games: readonly GameSummary[] | undefined;
  readonly failed: boolean;
  // Reads the list at once.
  again(): void;
  // Sentences for whoever keeps the games.
  readonly warnings: readonly string[];
  // By how much the engine service's clock is ahead of this device's.
  readonly aheadMs: number;
}

export interface Wanted {
  readonly archived: boolean;
  // In the name of a game or of a player.
  readonly find: string;
}

const ALL: Wanted = { archived: false, find: "" };

// The list of games, read again and again while `active`.
export function useGames(client: GameClient, active: boolean, { archived, find }: Wanted = ALL): Games {
  const [list, setList] = useState<Omit<Games, "again">>({ games: undefined, failed: false, warnings: [], aheadMs: 0 });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (!active) return;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      try {
        const { games, warnings, nowMs } = await client.listGames({ archived, find });
        if (!stopped) setList({ games, failed: false, warnings, aheadMs: Number(nowMs) - Date.now() });
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
  }, [client, active, archived, find, asked]);
  const again = useCallback(() => setAsked((n) => n + 1), []);
  return { ...list, again };
}
