import { RefereeStep } from "../gen/tilewarden/v1/game_pb";
import { useServices } from "../live/client";
import { useAnswer } from "../live/use_answer";
import { useCalling } from "../live/use_call";
import { useNow } from "../live/use_now";
import { clockFace, isComing, isHall } from "../model/hall";
import type { View } from "../model/view";
import { plain, useTexts, type Texts } from "../texts/texts";

// Turns after which it is asked anew whether other tables play here.
const TURNS = 5;

// Who is on the way to a table.
export const comerOf = (texts: Texts, referee: string): string =>
  referee ? texts.say("call.coming.by", { name: plain(referee) }) : texts.say("call.coming");

export interface HallAround {
  // A referee goes about: more tables than this one play here.
  readonly hall: boolean;
  // By how much the engine service's clock is ahead of this device's.
  readonly aheadMs: number;
}

// What is around a table; asked rarely, because it hardly ever changes.
export function useHallAround(view: View): HallAround {
  const { game } = useServices();
  const { value } = useAnswer(
    async (signal) => {
      const { games, nowMs } = await game.listGames({}, { signal });
      return { hall: isHall(games, Number(nowMs)), aheadMs: Number(nowMs) - Date.now() };
    },
    [view.gameId, Math.floor(view.turn / TURNS)],
  );
  return value ?? { hall: false, aheadMs: 0 };
}

interface Props {
  view: View;
  around: HallAround;
  spectator: boolean;
}

// The players call the referee, and see that one comes. Only where a referee goes about.
export function CallReferee({ view, around, spectator }: Props) {
  const texts = useTexts();
  const { call } = view;
  const calling = useCalling();
  const called = (call?.calledMs ?? 0n) > 0n;
  const now = useNow(called) + around.aheadMs;
  if (!call && !around.hall) return null;
  return (
    <section class="call" data-call={call ? (isComing(call) ? "coming" : "called") : "none"}>
      {call && (
        <p role="status">
          <b dir="auto">{isComing(call) ? comerOf(texts, call.referee) : texts.say("call.called")}</b>
          {called && <time>{clockFace(Math.max(0, now - Number(call.calledMs)))}</time>}
        </p>
      )}
      {!called && !isComing(call) && (
        <button type="button" class="wide-button quiet" disabled={calling.busy} onClick={() => void calling.call(view.gameId, false)}>{texts.say("call.call")}</button>
      )}
      {called && !isComing(call) && (
        <button type="button" class="wide-button quiet" disabled={calling.busy} onClick={() => void calling.call(view.gameId, true)}>{texts.say("call.cancel")}</button>
      )}
      {isComing(call) && !spectator && (
        <button type="button" class="wide-button" disabled={calling.busy} onClick={() => void calling.answer(view.gameId, RefereeStep.DONE)}>{texts.say("hall.done")}</button>
      )}
      {calling.error && <p class="refused" role="alert" dir="auto">{calling.error}</p>}
    </section>
  );
}
