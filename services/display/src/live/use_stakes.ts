import { create } from "@bufbuild/protobuf";
import type { GameState, Question, Turn } from "../gen/tilewarden/v1/game_pb";
import { PreviewChangeRequestSchema } from "../gen/tilewarden/v1/query_pb";
import { stakesOf, type Stake } from "../model/stakes";
import { turnAt, type View } from "../model/view";
import { useServices } from "./client";
import { useAnswer } from "./use_answer";

// What hangs on the answer: by how much everybody's points differ between the answers,
// as the engine service counts them.
export function useStakes(view: View, question: Question): readonly Stake[] {
  const { query } = useServices();
  const { gameId } = view;
  const turns = question.answers.flatMap(({ turn }) => (turn?.cell ? [turn] : []));
  const ask = async (signal: AbortSignal) => {
    const preview = async (turn: Turn): Promise<GameState | undefined> => {
      const change = create(PreviewChangeRequestSchema, {
        gameId,
        change: { case: "correct", value: { turnNumber: turnAt(view, turn.cell), turn } },
      });
      const { outcome } = await query.previewChange(change, { signal });
      return outcome.case === "state" ? outcome.value : undefined;
    };
    return stakesOf((await Promise.all(turns.map(preview))).flatMap((state) => state?.players ? [state.players] : []));
  };
  const possible = turns.length > 1 && turns.every(({ cell }) => turnAt(view, cell) > 0);
  const { value } = useAnswer(possible ? ask : undefined, [gameId, view.eventNumber, question.id]);
  return (possible && value) || [];
}
