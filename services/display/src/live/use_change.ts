import { create } from "@bufbuild/protobuf";
import { useState } from "preact/hooks";
import type { GameState, Refusal } from "../gen/tilewarden/v1/game_pb";
import { PreviewChangeRequestSchema, type PreviewChangeRequest } from "../gen/tilewarden/v1/query_pb";
import type { Change } from "../model/correction";
import { useTexts } from "../texts/texts";
import { newRequestId, useServices, wordsOf, type GameClient } from "./client";
import { useAnswer } from "./use_answer";

export interface Preview {
  // The game as it would be; undefined while that is not known, or refused.
  readonly state: GameState | undefined;
  readonly refusal: Refusal | undefined;
  readonly error: string | undefined;
  // False: it tells of the change before.
  readonly fresh: boolean;
}

// What a change would do now; asked anew when the game goes on.
export function usePreview(gameId: string, eventNumber: bigint, change: Change | undefined): Preview {
  const { query } = useServices();
  const request = change && previewOf(gameId, change);
  const { value, error, fresh } = useAnswer(
    request && ((signal) => query.previewChange(request, { signal })),
    [gameId, eventNumber, change],
  );
  const { outcome } = (change && value) ?? {};
  return {
    state: outcome?.case === "state" ? outcome.value : undefined,
    refusal: outcome?.case === "refusal" ? outcome.value : undefined,
    error,
    fresh,
  };
}

// Undefined: there is nothing to ask; the end of a game is known beforehand, and
// answers are shown as pictures.
function previewOf(gameId: string, change: Change): PreviewChangeRequest | undefined {
  switch (change.kind) {
    case "correct":
      return create(PreviewChangeRequestSchema, {
        gameId,
        change: { case: "correct", value: { turnNumber: change.number, turn: change.turn } },
      });
    case "play":
      return create(PreviewChangeRequestSchema, { gameId, change: { case: "play", value: change.turn } });
    case "points":
      return create(PreviewChangeRequestSchema, { gameId, change: { case: "points", value: pointsOf(change) } });
    case "undo":
      return create(PreviewChangeRequestSchema, { gameId, change: { case: "undo", value: {} } });
    case "end":
    case "answer":
      return undefined;
  }
}

const pointsOf = ({ colour, points, reason }: Extract<Change, { kind: "points" }>) => ({ colour, points, reason: reason.trim() });

export interface Doing {
  readonly busy: boolean;
  // Why it was not done.
  readonly error: string | undefined;
  // True: it is done.
  carryOut(change: Change): Promise<boolean>;
  forget(): void;
}

export function useChange(gameId: string): Doing {
  const { game } = useServices();
  const texts = useTexts();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>();
  return {
    busy,
    error,
    forget: () => setError(undefined),
    async carryOut(change) {
      setBusy(true);
      try {
        const refusal = await carryOut(game, gameId, change);
        setError(refusal && texts.refusal(refusal));
        return refusal === undefined;
      } catch (problem) {
        setError(wordsOf(problem));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

async function carryOut(game: GameClient, gameId: string, change: Change): Promise<Refusal | undefined> {
  const request = { requestId: newRequestId(), gameId };
  switch (change.kind) {
    case "correct": {
      const { outcome } = await game.correctTurn({ ...request, turnNumber: change.number, turn: change.turn });
      return outcome.case === "refusal" ? outcome.value : undefined;
    }
    case "play": {
      const { outcome } = await game.playTurn({ ...request, turn: change.turn });
      return outcome.case === "refusal" ? outcome.value : undefined;
    }
    case "points":
      await game.changePoints({ ...request, change: pointsOf(change) });
      return undefined;
    case "undo":
      await game.undoTurn(request);
      return undefined;
    case "end":
      await game.endGame(request);
      return undefined;
    case "answer": {
      const { outcome } = await game.answerQuestion({ ...request, questionId: change.question, answer: change.answer });
      return outcome.case === "refusal" ? outcome.value : undefined;
    }
  }
}
