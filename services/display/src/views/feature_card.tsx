import { useEffect, useState } from "preact/hooks";
import { PlayerMark } from "../draw/figure";
import { SegmentKind, type ScoreItem } from "../gen/tilewarden/v1/game_pb";
import type { GameClient } from "../live/client";
import { sameCell } from "../model/grid";
import type { Feature } from "../model/features";
import { kindOf } from "../model/sheet";
import type { View } from "../model/view";
import { useTexts, type TextKey } from "../texts/texts";

const NAMES: Partial<Record<SegmentKind, TextKey>> = {
  [SegmentKind.CITY]: "feature.city",
  [SegmentKind.ROAD]: "feature.road",
  [SegmentKind.FIELD]: "feature.field",
  [SegmentKind.MONASTERY]: "feature.monastery",
  [SegmentKind.GARDEN]: "feature.garden",
  [SegmentKind.RIVER]: "feature.river",
  [SegmentKind.TEMPLE]: "feature.temple",
};

const KINDS: Partial<Record<SegmentKind, string>> = {
  [SegmentKind.CITY]: "city",
  [SegmentKind.ROAD]: "road",
  [SegmentKind.FIELD]: "field",
  [SegmentKind.MONASTERY]: "monastery",
  [SegmentKind.GARDEN]: "garden",
};

interface Props {
  client: GameClient;
  view: View;
  feature: Feature;
  onClose: () => void;
}

// What lies under the finger: its size, who stands in it, and what it would be
// worth if the game ended now (as the engine service counts it).
export function FeatureCard({ client, view, feature, onClose }: Props) {
  const texts = useTexts();
  const [live, setLive] = useState<readonly ScoreItem[]>([]);
  useEffect(() => {
    let current = true;
    client.getGame({ gameId: view.gameId }).then(
      ({ state }) => current && setLive(state?.liveItems ?? []),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [client, view.gameId, view.eventNumber]);

  const worth = live.filter(
    (item) =>
      kindOf(item) === KINDS[feature.kind] &&
      item.points > 0 &&
      feature.figures.some((f) => f.colour === item.colour && item.cells.some((cell) => sameCell(cell, f.cell))),
  );
  const colours = [...new Set(feature.figures.map((figure) => figure.colour))];
  const name = (colour: string) => texts.player(view.players.find((p) => p.colour === colour)) || texts.colour(colour);
  // Where it hides less of what it speaks of.
  const middle = (ys: readonly number[]) => ys.reduce((sum, y) => sum + y, 0) / Math.max(1, ys.length);
  const isLow = middle(feature.cells.map(({ y }) => y)) > middle(view.tiles.map((tile) => tile.cell?.y ?? 0));
  return (
    <div class={`feature-card${isLow ? " at-top" : ""}`} role="status">
      <strong>{texts.say(NAMES[feature.kind] ?? "kind.other")}</strong>
      <span>{texts.count("feature.tiles", feature.cells.length)}</span>
      {colours.length === 0 && feature.kind !== SegmentKind.RIVER && <span>{texts.say("feature.free")}</span>}
      {colours.map((colour) => {
        const points = worth.filter((item) => item.colour === colour).reduce((sum, item) => Math.max(sum, item.points), 0);
        return (
          <span key={colour} class="feature-owner">
            <PlayerMark colour={colour} />
            <span dir="auto">{name(colour)}</span>
            {points > 0 && <b>{texts.count("feature.now", points)}</b>}
          </span>
        );
      })}
      <button type="button" onClick={onClose} aria-label={texts.say("settings.close")}>
        <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true">
          <path d="M-5 -5L5 5M5 -5L-5 5" />
        </svg>
      </button>
    </div>
  );
}
