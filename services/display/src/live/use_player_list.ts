// Everybody who plays here, with their figures.
import { createClient, type Client } from "@connectrpc/connect";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { PlayerService, type PlayerFigures } from "../gen/tilewarden/v1/players_pb";
import { untilDone, useServices } from "./client";

export interface PlayerList {
  readonly client: Client<typeof PlayerService>;
  // Undefined until they were read once.
  readonly players: readonly PlayerFigures[] | undefined;
  // Games of earlier versions that are still to be counted.
  readonly toCount: number;
  // Reads the list anew.
  again(): void;
}

export function usePlayerList(): PlayerList {
  const { transport } = useServices();
  const client = useMemo(() => createClient(PlayerService, transport), [transport]);
  const [list, setList] = useState<Pick<PlayerList, "players" | "toCount">>({ players: undefined, toCount: 0 });
  const [asked, setAsked] = useState(0);
  const again = useCallback(() => setAsked((n) => n + 1), []);
  useEffect(
    () =>
      untilDone(
        (signal) => client.listPlayers({}, { signal }),
        ({ players, gamesToCount }) => {
          setList({ players, toCount: gamesToCount });
          if (gamesToCount > 0) again();
        },
      ),
    [client, asked],
  );
  return { client, ...list, again };
}
