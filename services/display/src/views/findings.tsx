import { useEffect, useRef, useState } from "preact/hooks";
import { Severity, type Finding } from "../gen/tilewarden/v1/game_pb";
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
  const heading = { illegal: "finding.illegal", warning: "finding.warning", note: "finding.note" } as const;
  const others = view.findings.length - 1;
  return (
    <div class={`banner banner-${tone}`} role={tone === "illegal" ? "alert" : "status"} data-finding={finding?.code}>
      {finding && (
        <>
          <svg class="banner-sign" viewBox="-12 -12 24 24" aria-hidden="true">
            {tone === "note" ? <circle r="10" /> : <path d="M0 -10.5L11.4 9.4H-11.4Z" />}
            <path class="banner-mark" d="M0 -3.6V2.6M0 6V6.3" />
          </svg>
          <div class="banner-words">
            <strong>{texts.say(heading[toneOf(finding)])}</strong>
            {others > 0 && <span class="banner-more"> {texts.count("finding.more", others)}</span>}
            <p dir="auto">{texts.finding(finding)}</p>
          </div>
          {!spectator && (
            <a class="banner-hand" href={addressOf({ view: "correct", gameId: view.gameId })}>
              {texts.say("finding.hand")}
            </a>
          )}
          {evidence && <EvidenceButton finding={finding} evidence={evidence} onEnlarge={onEnlarge} />}
        </>
      )}
      {tone === "solved" && <p>{texts.say("finding.cleared")}</p>}
    </div>
  );
}
