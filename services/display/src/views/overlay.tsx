import "../styles/overlay.css";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { PlayerMark } from "../draw/figure";
import { lookOf } from "../draw/colours";
import { GamePhase } from "../gen/tilewarden/v1/game_pb";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { foremost, toneOf } from "./findings";
import { playerName } from "./words";

export const OVERLAY_PARTS = ["scores", "last", "findings"] as const;

// Plates that are dark or light, words with a rim and no plate, or a green page for software that
// takes no transparent one.
export const OVERLAY_LOOKS = ["dark", "light", "clear", "green"] as const;
// Beside the mark, across a bar in the player's colour, or not at all.
export const OVERLAY_NAMES = ["plain", "bars", "none"] as const;
const SMALLEST = 50;
const LARGEST = 400;

export interface OverlayOptions {
  readonly layout: "row" | "column";
  readonly parts: readonly (typeof OVERLAY_PARTS)[number][];
  readonly look: (typeof OVERLAY_LOOKS)[number];
  readonly names: (typeof OVERLAY_NAMES)[number];
  // Per cent.
  readonly size: number;
}

// ?layout=column stacks the players; ?show=scores,last leaves out what is not named; ?look=light,
// ?names=bars and ?size=150 dress it.
export function overlayOptions(query: URLSearchParams): OverlayOptions {
  const wanted = query.get("show")?.split(",");
  const one = <T extends string>(name: string, known: readonly [T, ...T[]]): T => known.find((value) => value === query.get(name)) ?? known[0];
  const size = Number.parseFloat(query.get("size") ?? "");
  return {
    layout: one("layout", ["row", "column"]),
    parts: OVERLAY_PARTS.filter((part) => !wanted || wanted.includes(part)),
    look: one("look", OVERLAY_LOOKS),
    names: one("names", OVERLAY_NAMES),
    size: Number.isFinite(size) ? Math.min(LARGEST, Math.max(SMALLEST, size)) : 100,
  };
}

// For streaming software: nothing but scores, the last points and findings, on
// a transparent page.
export function Overlay({ view }: { view: View }) {
  const texts = useTexts();
  const { layout, parts, look, names, size } = useMemo(() => overlayOptions(new URLSearchParams(location.search)), []);
  // Everything is measured in the page's letters.
  useLayoutEffect(() => {
    document.documentElement.style.setProperty("--scale", String(size / 100));
    return () => document.documentElement.style.removeProperty("--scale");
  }, [size]);
  const finding = parts.includes("findings") ? foremost(view.findings) : undefined;
  const fresh = parts.includes("last") ? (view.last?.items ?? []) : [];
  return (
    <main class={`overlay overlay-${layout} look-${look} names-${names}`}>
      <h1 class="for-listeners">{texts.game(view)}</h1>
      <ol>
        {(parts.includes("scores") ? view.players : []).map((player) => {
          const gained = fresh.filter((item) => item.colour === player.colour).reduce((sum, item) => sum + item.points, 0);
          const toMove = view.phase !== GamePhase.ENDED && view.toMove === player.colour;
          return (
            <li key={player.colour} class={`${lookOf(player.colour).className}${toMove ? " to-move" : ""}`}>
              <PlayerMark colour={player.colour} />
              <span class="overlay-name" dir="auto">{texts.player(player)}</span>
              <b>{player.score}</b>
              {gained > 0 && <em>{`+${gained}`}</em>}
            </li>
          );
        })}
      </ol>
      {finding ? (
        <p class={`overlay-line banner-${toneOf(finding)}`}>{texts.finding(finding)}</p>
      ) : (
        fresh.map((item, i) => (
          <p key={i} class={`overlay-line overlay-points ${lookOf(item.colour).className}`}>
            <PlayerMark colour={item.colour} />
            <span dir="auto">{texts.named(playerName(texts, view, item.colour), texts.reason(item))}</span>
          </p>
        ))
      )}
    </main>
  );
}
