import { PlayerMark } from "../draw/figure";
import { lookOf } from "../draw/colours";
import { GamePhase } from "../gen/tilewarden/v1/game_pb";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { foremost, toneOf } from "./findings";
import { playerName } from "./words";

export const OVERLAY_PARTS = ["scores", "last", "findings"] as const;

export interface OverlayOptions {
  readonly layout: "row" | "column";
  readonly parts: readonly (typeof OVERLAY_PARTS)[number][];
}

// ?layout=column stacks the players; ?show=scores,last leaves out what is not named.
export function overlayOptions(query: URLSearchParams): OverlayOptions {
  const wanted = query.get("show")?.split(",");
  return {
    layout: query.get("layout") === "column" ? "column" : "row",
    parts: OVERLAY_PARTS.filter((part) => !wanted || wanted.includes(part)),
  };
}

// For streaming software: nothing but scores, the last points and findings, on
// a transparent page.
export function Overlay({ view, options }: { view: View; options: OverlayOptions }) {
  const texts = useTexts();
  const { layout, parts } = options;
  const finding = parts.includes("findings") ? foremost(view.findings) : undefined;
  const fresh = parts.includes("last") ? (view.last?.items ?? []) : [];
  return (
    <main class={`overlay overlay-${layout}`}>
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
