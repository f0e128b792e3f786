import { PlayerMark } from "../draw/figure";
import { differenceOf, isNothing } from "../model/correction";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { featureName, figureName, playerName } from "./words";

// What a change would do, in words, before it is done.
export function DifferenceList({ before, after }: { before: View; after: View }) {
  const texts = useTexts();
  const difference = differenceOf(before, after);
  const name = (colour: string) => playerName(texts, after, colour);
  if (isNothing(difference)) return <p class="difference-none">{texts.say("change.nothing")}</p>;
  return (
    <ul class="difference">
      {difference.scores.map(({ colour, from, to }) => (
        <li key={colour} data-score-change={`${colour}:${from}:${to}`}>
          <PlayerMark colour={colour} />
          <span dir="auto">{name(colour)}</span>
          <b>
            <span class="for-listeners">{texts.say("change.score", { from, to })}</span>
            <span aria-hidden="true">{`${from} → ${to}`}</span>
          </b>
        </li>
      ))}
      {difference.tiles.map(({ what, tile }, i) => (
        <li key={`tile-${i}`}>
          {tile.colour ? <PlayerMark colour={tile.colour} /> : <span />}
          <span>{texts.say(`change.tile.${what}`, { turn: tile.turn, name: tile.colour ? name(tile.colour) : "" })}</span>
        </li>
      ))}
      {difference.figures.map(({ what, figure }, i) => (
        <li key={`figure-${i}`}>
          <PlayerMark colour={figure.colour} />
          <span>
            {texts.say(`change.figure.${what}`, { figure: figureName(texts, figure.kind), feature: featureName(texts, figure.feature), name: name(figure.colour) })}
          </span>
        </li>
      ))}
      {difference.toMove && (
        <li>
          <PlayerMark colour={difference.toMove} />
          <span>{texts.say("say.next", { name: name(difference.toMove) })}</span>
        </li>
      )}
    </ul>
  );
}
