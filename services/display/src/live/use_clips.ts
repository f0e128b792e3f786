import type { Clip } from "../gen/tilewarden/v1/query_pb";
import type { View } from "../model/view";
import { useServices, type QueryClient } from "./client";
import { useAnswer } from "./use_answer";

export interface Clips {
  readonly clips: readonly Clip[];
  // There are more pages than were asked for.
  readonly more: boolean;
}

// What was kept of a game's disputed turns, oldest first, so many pages of it; undefined until it
// is known. Asked anew when something else is open.
export function useClips(view: View, pages: number): Clips | undefined {
  const { query } = useServices();
  const open = [...view.findings, ...view.questions].map(({ id }) => id).join();
  return useAnswer((signal) => read(query, view.gameId, pages, signal), [view.gameId, open, pages]).value;
}

async function read(query: QueryClient, gameId: string, pages: number, signal: AbortSignal): Promise<Clips> {
  const clips: Clip[] = [];
  let pageToken = "";
  for (let page = 0; page < pages; ++page) {
    const answer = await query.listClips({ gameId, pageToken }, { signal });
    clips.push(...answer.clips);
    pageToken = answer.nextPageToken;
    if (!pageToken) break;
  }
  return { clips, more: pageToken !== "" };
}
