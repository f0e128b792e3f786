// The camera of this table, and what lies below it: asked at the server that it hangs on.
import { Code, ConnectError, createClient, type Client } from "@connectrpc/connect";
import { useEffect, useMemo, useState } from "preact/hooks";
import { CameraService, type CameraSummary, type GetTableViewResponse } from "../gen/tilewarden/v1/camera_pb";
import { useServices, wordsOf } from "./client";

const EVERY_MS = 1_500;

export interface TableCamera {
  // Undefined: not known yet, or this server has no camera.
  readonly view: GetTableViewResponse | undefined;
  // Those of the server's machine; undefined until they were looked at.
  readonly cameras: readonly CameraSummary[] | undefined;
  // This server looks at no camera.
  readonly absent: boolean;
  readonly busy: boolean;
  // Why the last choice was not taken.
  readonly error: string | undefined;
  // True: it is in use.
  choose(source: string): Promise<boolean>;
  look(): Promise<void>;
}

const isAbsent = (problem: unknown) => ConnectError.from(problem).code === Code.Unimplemented;

export function useTableCamera(): TableCamera {
  const { transport } = useServices();
  const client = useMemo(() => createClient(CameraService, transport), [transport]);
  const [view, setView] = useState<GetTableViewResponse | undefined>();
  const [cameras, setCameras] = useState<readonly CameraSummary[] | undefined>();
  const [absent, setAbsent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>();
  useEffect(() => watchView(client, setView, () => setAbsent(true)), [client]);
  const look = async () => {
    try {
      setCameras((await client.listCameras({})).cameras);
    } catch (problem) {
      // Who may not see the list still plays.
      setCameras([]);
      if (isAbsent(problem)) setAbsent(true);
    }
  };
  useEffect(() => void look(), [client]);
  return {
    view,
    cameras,
    absent,
    busy,
    error,
    look,
    async choose(source) {
      setBusy(true);
      setError(undefined);
      try {
        await client.chooseCamera({ source });
        setView(await client.getTableView({}));
        return true;
      } catch (problem) {
        setError(wordsOf(problem));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

// What it sees now; undefined: not known yet, or this server looks at no camera.
export function useTableView(): GetTableViewResponse | undefined {
  const { transport } = useServices();
  const [view, setView] = useState<GetTableViewResponse | undefined>();
  useEffect(() => watchView(createClient(CameraService, transport), setView, () => {}), [transport]);
  return view;
}

function watchView(client: Client<typeof CameraService>, told: (view: GetTableViewResponse) => void, absent: () => void): () => void {
  const asking = new AbortController();
  const { signal } = asking;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    try {
      const view = await client.getTableView({}, { signal });
      if (!signal.aborted) told(view);
    } catch (problem) {
      if (!signal.aborted && isAbsent(problem)) return absent();
    }
    if (!signal.aborted) timer = setTimeout(() => void ask(), EVERY_MS);
  };
  void ask();
  return () => {
    asking.abort();
    clearTimeout(timer);
  };
}
