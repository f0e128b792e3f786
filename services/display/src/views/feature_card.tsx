import { useLayoutEffect } from "preact/hooks";
import { PlayerMark } from "../draw/figure";
import { TileThumb } from "../draw/thumb";
import { SegmentKind } from "../gen/tilewarden/v1/game_pb";
import type { DescribeFeatureResponse, OpenCell } from "../gen/tilewarden/v1/query_pb";
import type { TileTypes } from "../live/use_game";
import type { Feature } from "../model/features";
import type { View } from "../model/view";
import { addressOf } from "../route";
import { useTexts } from "../texts/texts";
import { featureName, percent, playerName } from "./words";

interface Props {
  view: View;
  types: TileTypes;
  feature: Feature;
  // The engine service's word on it; undefined until it is there.
  details: DescribeFeatureResponse | undefined;
  // The turn whose tile is under the finger; undefined where nothing can be corrected.
  turn: number | undefined;
  onClose: () => void;
}

// What lies under the finger: whose it is, what it is worth now and completed,
// and what would continue it.
export function FeatureCard({ view, types, feature, details, turn, onClose }: Props) {
  const texts = useTexts();
  const owners = details?.owners ?? [...new Set(feature.figures.map((figure) => figure.colour))];
  const claimable = feature.kind !== SegmentKind.RIVER;
  // Where it hides less of what it speaks of.
  const middle = (ys: readonly number[]) => ys.reduce((sum, y) => sum + y, 0) / Math.max(1, ys.length);
  const isLow = middle(feature.cells.map(({ y }) => y)) > middle(view.tiles.map((tile) => tile.cell?.y ?? 0));
  const isField = feature.kind === SegmentKind.FIELD;
  // Listens before the card can be seen: a key pressed at once counts, too.
  useLayoutEffect(() => {
    const leave = (event: KeyboardEvent) => event.key === "Escape" && onClose();
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  }, [onClose]);
  return (
    <section class={`feature-card${isLow ? " at-top" : ""}`} role="status" data-feature={SegmentKind[feature.kind].toLowerCase()}>
      <p class="feature-head">
        <strong>{featureName(texts, feature.kind)}</strong>
        <span>{texts.count("feature.tiles", feature.cells.length)}</span>
        {owners.length === 0 && claimable && <span>{texts.say("feature.free")}</span>}
        {owners.map((colour) => (
          <span key={colour} class="feature-owner" data-owner={colour}>
            <PlayerMark colour={colour} />
            <span dir="auto">{playerName(texts, view, colour)}</span>
          </span>
        ))}
      </p>
      {details && claimable && (
        <p class="feature-worth">
          {details.complete ? (
            <b>{texts.say("feature.complete")}</b>
          ) : (
            <>
              <b>{texts.count("feature.now", details.worthNow)}</b>
              {!isField && <b>{texts.count("feature.completed", details.worthComplete)}</b>}
            </>
          )}
          {isField && <span>{texts.count("feature.cities", details.completedCities)}</span>}
          {!details.complete && !isField && details.openCells.length > 0 && (
            <span>{texts.count("feature.gaps", details.openCells.length)}</span>
          )}
        </p>
      )}
      {details && !details.complete && !isField && details.openCells.length > 0 && details.openCells.length <= MOST_GAPS && (
        <ul class="feature-gaps">
          {details.openCells.map((open, i) => (
            <Gap key={i} open={open} types={types} />
          ))}
        </ul>
      )}
      {turn !== undefined && (
        <a class="feature-correct" href={addressOf({ view: "correct", gameId: view.gameId, detail: String(turn) })}>
          {texts.say("correct.this")}
        </a>
      )}
      <button type="button" class="feature-close" onClick={onClose} aria-label={texts.say("settings.close")}>
        <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true">
          <path d="M-5 -5L5 5M5 -5L-5 5" />
        </svg>
      </button>
    </section>
  );
}

// More would cover the board; their chances stand on the board itself.
const MOST_GAPS = 3;
const MOST_THUMBS = 6;

function Gap({ open, types }: { open: OpenCell; types: TileTypes }) {
  const texts = useTexts();
  const more = open.fitting.length - MOST_THUMBS;
  if (open.fitting.length === 0) return <li class="feature-gap">{texts.say("feature.dead")}</li>;
  return (
    <li class="feature-gap">
      <span>
        {texts.say("feature.chance", { next: percent(texts, open.chanceNext), round: percent(texts, open.chanceRound) })}
      </span>
      <span class="feature-thumbs">
        {open.fitting.slice(0, MOST_THUMBS).map((fitting) => (
          <span key={fitting.tile} class="thumb-count">
            <TileThumb type={types.get(fitting.tile)} rotation={fitting.rotations[0] ?? 0} />
            <small>{fitting.left}</small>
          </span>
        ))}
        {more > 0 && <small>{texts.say("feature.more", { count: more })}</small>}
      </span>
    </li>
  );
}
