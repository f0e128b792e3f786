// The devices that are let in from other machines.
import { createClient } from "@connectrpc/connect";
import { useEffect, useMemo, useState } from "preact/hooks";
import { AccessService, type Device } from "../gen/tilewarden/v1/access_pb";
import { useServices, wordsOf } from "./client";

// How soon one is listed that was just let in.
const EVERY_MS = 4_000;

export interface LiveDevices {
  // Newest first; undefined until they were read once.
  readonly devices: readonly Device[] | undefined;
  // Why they could not be read, or the last one not be shut out.
  readonly error: string | undefined;
  revoke(id: string): Promise<void>;
}

// Read again and again while `active`.
export function useDevices(active: boolean): LiveDevices {
  const { transport } = useServices();
  const client = useMemo(() => createClient(AccessService, transport), [transport]);
  const [devices, setDevices] = useState<readonly Device[] | undefined>();
  const [lost, setLost] = useState<string | undefined>();
  const [refused, setRefused] = useState<string | undefined>();
  const [revoked, setRevoked] = useState(0);
  useEffect(() => {
    if (!active) return;
    const asking = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      try {
        const list: Device[] = [];
        for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
          const page = await client.listDevices({ pageToken }, { signal: asking.signal });
          list.push(...page.devices);
          pageToken = page.nextPageToken || undefined;
        }
        if (asking.signal.aborted) return;
        setDevices(list);
        setLost(undefined);
      } catch (problem) {
        if (asking.signal.aborted) return;
        setLost(wordsOf(problem));
      }
      timer = setTimeout(() => void read(), EVERY_MS);
    };
    void read();
    return () => {
      asking.abort();
      clearTimeout(timer);
    };
  }, [client, active, revoked]);
  return {
    devices,
    error: refused ?? lost,
    async revoke(id) {
      try {
        await client.revokeDevice({ id });
        setRefused(undefined);
      } catch (problem) {
        setRefused(wordsOf(problem));
      }
      setRevoked((count) => count + 1);
    },
  };
}
