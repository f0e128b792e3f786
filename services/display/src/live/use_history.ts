import { Code, ConnectError } from "@connectrpc/connect";
import { useEffect, useRef, useState } from "preact/hooks";
import { beginningOf, History, type Moment } from "../model/history";
import type { View } from "../model/view";
import type { GameClient } from "./client";

// Every moment of the game so far: reads the log from its start, and goes on
// with what the live view says is new. Empty until it is read.
export function useHistory(client: GameClient, view: View): readonly Moment[] {
  const [moments, setMoments] = useState<readonly Moment[]>([]);
  const history = useRef<{ gameId: string; book: History } | undefined>(undefined);
  useEffect(() => {
    const reading = new AbortController();
    const read = async () => {
      if (history.current?.gameId !== view.gameId) {
        history.current = { gameId: view.gameId, book: new History(beginningOf(view)) };
      }
      const { book } = history.current;
      if (book.eventNumber < view.eventNumber) {
        const stream = client.watchGame(
          { gameId: view.gameId, resumeAfter: book.eventNumber },
          { signal: reading.signal },
        );
        for await (const { what } of stream) {
          // Too slow for what is kept.
          if (what.case === "state") break;
          if (what.case !== "event") continue;
          book.add(what.value);
          if (what.value.number >= view.eventNumber) break;
        }
      }
      if (!reading.signal.aborted) setMoments(book.moments);
    };
    read().catch((problem: unknown) => {
      // The log does not reach back that far: the present must do. A lost connection is told
      // elsewhere; the next event tries again.
      const { code } = ConnectError.from(problem);
      if (code === Code.OutOfRange && history.current) setMoments(history.current.book.moments);
    });
    return () => reading.abort();
  }, [client, view.gameId, view.eventNumber]);
  return moments;
}
