import { useEffect, useRef, useState } from "preact/hooks";
import { Severity, type Finding } from "../gen/tilewarden/v1/game_pb";
import { sameCell } from "../model/grid";
import type { View } from "../model/view";
import type { Lit } from "../board/marks";
import type { Evidence } from "../live/use_evidence";
import { addressOf } from "../route";
import { useTexts } from "../texts/texts";
import { EvidenceButton } from "./evidence";

// The most serious finding first, then the newest.
export const foremost = (findings: readonly Finding[]): Finding | undefined =>
  findings.reduce<Finding | undefined>(
    (best, finding) =>
      !best || finding.severity > best.severity || (finding.severity === best.severity && finding.id > best.id) ? finding : best,
    undefined,
  );

export const toneOf = (finding: Finding): "illegal" | "warning" | "note" =>
  finding.severity === Severity.ILLEGAL ? "illegal" : finding.severity === Severity.WARNING ? "warning" : "note";

export function litBy(finding: Finding | undefined): Lit | undefined {
  if (!finding) return undefined;
  const cells = finding.cells.length > 0 ? finding.cells : finding.tile?.cell ? [finding.tile.cell] : [];
  return cells.length > 0 ? { cells, tone: toneOf(finding) } : undefined;
}

// Where to put right by hand what the finding is about, as a detail of the address of
// `correct`: the turn of its tile, a cell where the game knows none, or the points.
export function placeInQuestion(view: View, finding: Finding): string | undefined {
  if (finding.marker) return "points";
  const cell = finding.tile?.cell ?? finding.cells[0];
  if (!cell) return undefined;
  const laid = view.tiles.find((tile) => sameCell(tile.cell, cell));
  return laid ? (laid.turn > 0 ? String(laid.turn) : undefined) : `${cell.x},${cell.y}`;
}

const HEADINGS = { illegal: "finding.illegal", warning: "finding.warning", note: "finding.note" } as const;

// What is wrong, and that there is more than that.
export function FindingWords({ view, finding }: { view: View; finding: Finding }) {
  const texts = useTexts();
  const tone = toneOf(finding);
  const others = view.findings.length - 1;
  return (
    <>
      <svg class="banner-sign" viewBox="-12 -12 24 24" aria-hidden="true">
        {tone === "note" ? <circle r="10" /> : <path d="M0 -10.5L11.4 9.4H-11.4Z" />}
        <path class="banner-mark" d="M0 -3.6V2.6M0 6V6.3" />
      </svg>
      <div class="banner-words">
        <strong>{texts.say(HEADINGS[tone])}</strong>
        {others > 0 && <span class="banner-more"> {texts.count("finding.more", others)}</span>}
        <p dir="auto">{texts.finding(finding)}</p>
      </div>
    </>
  );
}

const THANKS_MS = 4_000;

interface Props {
  view: View;
  spectator: boolean;
  // Of the foremost finding.
  evidence: Evidence | undefined;
  onEnlarge: () => void;
}

// A calm message over the board. It goes by itself once the table is right again.
export function FindingBanner({ view, spectator, evidence, onEnlarge }: Props) {
  const texts = useTexts();
  const finding = foremost(view.findings);
  const [thanks, setThanks] = useState(false);
  const before = useRef<Finding | undefined>(undefined);
  useEffect(() => {
    const solved = before.current !== undefined && !finding;
    before.current = finding;
    if (!solved) {
      if (finding) setThanks(false);
      return;
    }
    setThanks(true);
    const timer = setTimeout(() => setThanks(false), THANKS_MS);
    return () => clearTimeout(timer);
  }, [finding]);

  const tone = finding ? toneOf(finding) : thanks ? "solved" : "none";
  const place = finding && placeInQuestion(view, finding);
  return (
    <div class={`banner banner-${tone}`} role={tone === "illegal" ? "alert" : "status"} data-finding={finding?.code}>
      {finding && (
        <>
          <FindingWords view={view} finding={finding} />
          {!spectator && (
            <a class="banner-hand" href={addressOf({ view: "correct", gameId: view.gameId, ...(place && { detail: place }) })}>
              {texts.say("finding.hand")}
            </a>
          )}
          {evidence && <EvidenceButton lit={litBy(finding)} evidence={evidence} onEnlarge={onEnlarge} />}
        </>
      )}
      {tone === "solved" && <p>{texts.say("finding.cleared")}</p>}
    </div>
  );
}
