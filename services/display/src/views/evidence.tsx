import { LitCells, type Lit } from "../board/marks";
import type { EvidencePicture } from "../gen/tilewarden/v1/query_pb";
import type { Shown } from "../live/use_camera";
import type { Evidence } from "../live/use_evidence";
import { useTexts } from "../texts/texts";

export interface EvidenceProps {
  // The cells at issue.
  lit: Lit | undefined;
  evidence: Evidence;
  // It is told afterwards: what was "now" is what came after.
  past?: boolean;
}

// What the camera saw of the place, before and now, beside each other. Both show the
// same part of the board.
export function EvidencePair({ lit, evidence: { before, now }, past = false }: EvidenceProps) {
  return (
    <span class="evidence-pair">
      {before && <Picture lit={lit} shown={before} part={now.picture} when="before" />}
      <Picture lit={lit} shown={now} part={now.picture} when={past ? "after" : "now"} />
    </span>
  );
}

interface PictureProps {
  lit: Lit | undefined;
  shown: Shown<EvidencePicture>;
  part: EvidencePicture;
  when: "before" | "now" | "after";
}

function Picture({ lit, shown: { address, picture }, part, when }: PictureProps) {
  const texts = useTexts();
  const at = ({ northWest, columns, rows }: EvidencePicture) => [northWest?.x ?? 0, northWest?.y ?? 0, columns, rows].map((cells) => cells * 100);
  const [x, y, width, height] = at(picture);
  return (
    <span class="evidence-picture" data-evidence={when}>
      <svg viewBox={at(part).join(" ")} style={{ "--ratio": part.columns / part.rows }} role="img" aria-label={texts.say(`evidence.${when}.alt`)}>
        <image href={address} x={x} y={y} width={width} height={height} preserveAspectRatio="none" />
        <LitCells lit={lit} />
      </svg>
      <small aria-hidden="true">{texts.say(`evidence.${when}`)}</small>
    </span>
  );
}

export function EvidenceButton({ lit, evidence, past, onEnlarge }: EvidenceProps & { onEnlarge: () => void }) {
  const texts = useTexts();
  return (
    <button type="button" class="evidence" title={texts.say("evidence.enlarge")} onClick={onEnlarge}>
      <EvidencePair lit={lit} evidence={evidence} past={past} />
      <span class="for-listeners">{texts.say("evidence.enlarge")}</span>
    </button>
  );
}
