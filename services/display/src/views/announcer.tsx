import { useEffect, useRef, useState } from "preact/hooks";
import { GamePhase } from "../gen/tilewarden/v1/game_pb";
import type { View } from "../model/view";
import { plain, useTexts, type Texts } from "../texts/texts";
import { questionWords, signed } from "./words";

// What changed, in words, for people who listen. Findings speak for themselves.
export function announcement(before: View, after: View, texts: Texts): string {
  const name = (colour: string) => texts.player(after.players.find((p) => p.colour === colour)) || texts.colour(colour);
  const words: string[] = [];
  if (after.last && after.last.tile !== before.last?.tile && after.turn > before.turn) {
    words.push(texts.say("say.turn", { turn: after.turn, name: name(after.last.tile.colour) }));
    if (after.last.inferred) words.push(texts.say("board.inferred.more"));
    for (const item of after.last.items) {
      words.push(texts.say("say.points", { name: name(item.colour), points: item.points, reason: texts.reason(item) }));
    }
  } else if (before.tiles.length === 0 && after.tiles.length === 1) {
    words.push(texts.say("say.start"));
  }
  if (after.revision && after.revision !== before.revision) {
    const byHand = after.scoreItems.filter((item) => item.kind === "by-hand" && item.reason === after.revision).at(-1);
    words.push(
      byHand
        ? texts.say("say.hand", { name: name(byHand.colour), points: signed(byHand.points), reason: plain(byHand.reason) })
        : texts.revision(after.revision),
    );
  }
  for (const question of after.questions) {
    if (!before.questions.some(({ id }) => id === question.id)) words.push(questionWords(texts, after, question));
  }
  if (after.phase === GamePhase.ENDED && before.phase !== GamePhase.ENDED) {
    words.push(texts.say("say.over", { names: texts.list(after.winners.map(name)) }));
  } else if (after.toMove && after.toMove !== before.toMove) {
    words.push(texts.say("say.next", { name: name(after.toMove) }));
  }
  return words.join(" ");
}

export function Announcer({ view }: { view: View }) {
  const texts = useTexts();
  const before = useRef(view);
  const [words, setWords] = useState("");
  useEffect(() => {
    const said = before.current.gameId === view.gameId ? announcement(before.current, view, texts) : "";
    before.current = view;
    if (said) setWords(said);
  }, [view, texts]);
  return (
    <div class="for-listeners" aria-live="polite" data-announcer>
      {words}
    </div>
  );
}
