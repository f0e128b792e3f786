// Calling the referee, and what referees say to it.
import { useState } from "preact/hooks";
import { RefereeStep } from "../gen/tilewarden/v1/game_pb";
import { newRequestId, useServices, wordsOf } from "./client";

export interface Calling {
  readonly busy: boolean;
  // Why it was not done.
  readonly error: string | undefined;
  // The players of a table; `withdrawn`: they take their call back.
  call(gameId: string, withdrawn: boolean): Promise<void>;
  // A referee.
  answer(gameId: string, step: RefereeStep): Promise<void>;
  // How long each player may think at these tables; 0: as long as they like.
  limit(gameIds: readonly string[], limitS: number): Promise<void>;
}

// `onDone`: something may be different now.
export function useCalling(onDone: () => void = () => {}): Calling {
  const { game } = useServices();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const doing = async (what: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await what();
      setError(undefined);
    } catch (problem) {
      setError(wordsOf(problem));
    }
    setBusy(false);
    onDone();
  };
  return {
    busy,
    error,
    call: (gameId, withdrawn) => doing(() => game.callReferee({ requestId: newRequestId(), gameId, withdrawn })),
    answer: (gameId, step) => doing(() => game.answerCall({ requestId: newRequestId(), gameId, step })),
    limit: (gameIds, limitS) => doing(() => Promise.all(gameIds.map((gameId) => game.limitThinking({ requestId: newRequestId(), gameId, limitS })))),
  };
}
