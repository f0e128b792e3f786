import { useEffect, useState } from "preact/hooks";
import type { GameClient } from "./client";

const EVERY_MS = 60_000;

// What whoever keeps the games must hear: what was lost, that room is scarce. Asked again and again
// while `active`; an answer that does not come changes nothing.
export function useWarnings(client: GameClient, active: boolean): readonly string[] {
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!active) return;
    const asking = new AbortController();
    const ask = () =>
      client.listGames({ pageSize: 1 }, { signal: asking.signal }).then(
        (answer) => setWarnings(answer.warnings),
        () => {},
      );
    void ask();
    const timer = setInterval(() => void ask(), EVERY_MS);
    return () => {
      asking.abort();
      clearInterval(timer);
    };
  }, [client, active]);
  return active ? warnings : [];
}
