// The disputed turns of a game: the two pictures of each, what was said and what came of it.
import { useState } from "preact/hooks";
import type { Clip } from "../../gen/tilewarden/v1/query_pb";
import { useShown } from "../../live/use_camera";
import { useClips } from "../../live/use_clips";
import type { TileTypes } from "../../live/use_game";
import type { View } from "../../model/view";
import { useTexts, type Texts } from "../../texts/texts";
import { EvidenceButton } from "../evidence";
import { litBy } from "../findings";
import { litByQuestion } from "../questions";
import { answerWords, questionWords } from "../words";
import { EvidenceLarge } from "./evidence_large";

interface Props {
  view: View;
  types: TileTypes;
}

// Nothing where none were kept.
export function Clips({ view, types }: Props) {
  const texts = useTexts();
  const [pages, setPages] = useState(1);
  const { clips, more } = useClips(view, pages) ?? { clips: [], more: false };
  if (clips.length === 0) return null;
  return (
    <details class="card clips" onToggle={(event) => event.currentTarget.open && bringToTop(event.currentTarget)}>
      <summary>{texts.say("clips.title")}</summary>
      <p class="note">{texts.say("clips.note")}</p>
      <ul>
        {clips.map((clip) => <OneClip key={`${clip.about.case}-${clip.about.value?.id}`} view={view} types={types} clip={clip} />)}
      </ul>
      {more && <button type="button" class="wide-button quiet" onClick={() => setPages(pages + 1)}>{texts.say("clips.more")}</button>}
    </details>
  );
}

// Of the column that it is in; the page itself stays where it is.
function bringToTop(part: Element): void {
  const column = part.parentElement!;
  column.scrollTop += part.getBoundingClientRect().top - column.getBoundingClientRect().top;
}

function OneClip({ view, types, clip }: Props & { clip: Clip }) {
  const texts = useTexts();
  const [large, setLarge] = useState(false);
  const before = useShown(clip.before);
  const now = useShown(clip.now);
  const { about } = clip;
  const lit = about.case === "finding" ? litBy(about.value) : about.case === "question" ? litByQuestion(about.value) : undefined;
  const words = about.case === "finding" ? texts.finding(about.value) : about.case === "question" ? questionWords(texts, view, about.value) : "";
  const time = new Date(Number(clip.timeMs)).toLocaleTimeString(texts.language, { timeStyle: "short" });
  const when = `${texts.say("game.turn", { turn: clip.turn })} · ${time}`;
  const outcome = outcomeWords(texts, types, clip);
  const evidence = now && (before || !clip.before) ? { before, now } : undefined;
  return (
    <li class="clip" data-clip={about.case}>
      <strong>{when}</strong>
      <p dir="auto">{words}</p>
      {evidence && <EvidenceButton lit={lit} evidence={evidence} past onEnlarge={() => setLarge(true)} />}
      <p class="clip-outcome" dir="auto">{outcome}</p>
      {evidence && large && <EvidenceLarge lit={lit} words={[when, words, outcome]} evidence={evidence} past onClose={() => setLarge(false)} />}
    </li>
  );
}

function outcomeWords(texts: Texts, types: TileTypes, { about, settled }: Clip): string {
  if (!settled) return texts.say("clips.open");
  if (about.case !== "question") return texts.say(settled.byHand ? "clips.hand" : "clips.table");
  const answer = settled.answer === undefined ? undefined : about.value.answers[settled.answer];
  if (answer) return texts.say("clips.answer", { answer: answerWords(texts, types, about.value, answer) });
  return texts.say(settled.byHand ? "clips.hand" : "clips.clear");
}
