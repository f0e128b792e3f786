import { useEffect, useState } from "preact/hooks";
import type { EvidencePicture, GetFindingEvidenceResponse } from "../gen/tilewarden/v1/query_pb";
import { useServices } from "./client";
import { useShown, type Shown } from "./use_camera";

// The picture comes a little after what it is about.
const FIRST_MS = 250;
const EVERY_MS = 2_000;
// A camera that has sent nothing by then sends no pictures.
const MOST_TRIES = 15;

// What is asked about: an open finding, or an open question.
export type Matter = { readonly findingId: number } | { readonly questionId: number };

// How its place looked to the camera, ready to be drawn.
export interface Evidence {
  readonly before: Shown<EvidencePicture> | undefined;
  readonly now: Shown<EvidencePicture>;
}

// Asked again until the picture of now is there, after which nothing changes any
// more. Undefined `matter`: nothing is asked.
export function useEvidence(gameId: string, matter: Matter | undefined): Evidence | undefined {
  const { query } = useServices();
  const [told, setTold] = useState<GetFindingEvidenceResponse | undefined>();
  useEffect(() => {
    if (!matter) return;
    const asking = new AbortController();
    const { signal } = asking;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (tries: number) => {
      // One that fails is asked again, too.
      const answer = await query.getFindingEvidence({ gameId, ...matter }, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (answer?.now) setTold(answer);
      else if (tries < MOST_TRIES) timer = setTimeout(() => void ask(tries + 1), Math.min(EVERY_MS, FIRST_MS * 2 ** (tries - 1)));
    };
    void ask(1);
    return () => {
      asking.abort();
      clearTimeout(timer);
      setTold(undefined);
    };
  }, [query, gameId, matter && JSON.stringify(matter)]);
  const before = useShown(told?.before);
  const now = useShown(told?.now);
  // The pair appears at once.
  return now && (before || !told?.before) ? { before, now } : undefined;
}
