import { useEffect, useRef } from "preact/hooks";
import { GamePhase, type ScoreItem } from "../gen/tilewarden/v1/game_pb";
import { speaker } from "../live/speech";
import { kindOf } from "../model/sheet";
import type { View } from "../model/view";
import { useTexts, type Texts } from "../texts/texts";
import { playerName } from "./words";

// "Anna, 8 points, a city": one sentence for each player who scored in the last turn, and who won.
export function spokenPoints(before: View, after: View, texts: Texts): string[] {
  if (before.gameId !== after.gameId) return [];
  if (after.phase === GamePhase.ENDED) {
    if (before.phase === GamePhase.ENDED) return [];
    return [texts.say("say.over", { names: texts.list(after.winners.map((colour) => playerName(texts, after, colour))) })];
  }
  if (after.turn <= before.turn) return [];
  const items = (after.last?.items ?? []).filter(({ points }) => points !== 0);
  return [...new Set(items.map(({ colour }) => colour))].map((colour) => sentence(items.filter((item) => item.colour === colour), after, texts));
}

export const spokenItem = (item: ScoreItem, view: View, texts: Texts): string => sentence([item], view, texts);

// Of one player.
function sentence(items: readonly ScoreItem[], view: View, texts: Texts): string {
  const points = items.reduce((sum, item) => sum + item.points, 0);
  const kinds = items.flatMap((item) => {
    const kind = kindOf(item);
    return kind === "other" ? [] : [texts.say(`spoken.${kind}`)];
  });
  return [
    playerName(texts, view, items[0]?.colour ?? ""),
    texts.count("points.value", points, { points }),
    ...(kinds.length > 0 ? [texts.list(kinds)] : []),
  ].join(", ");
}

// Says the points as they come.
export function useSpokenPoints(on: boolean, view: View | undefined): void {
  const texts = useTexts();
  const before = useRef<View | undefined>();
  useEffect(() => {
    speaker.turn(on, texts.language);
    return () => speaker.hush();
  }, [on, texts]);
  useEffect(() => {
    if (before.current && view) spokenPoints(before.current, view, texts).forEach((words) => speaker.say(words));
    before.current = view;
  }, [view, texts]);
}
