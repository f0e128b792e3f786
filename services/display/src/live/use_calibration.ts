// The lens of this server's camera being measured, look by look.
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  CalibrationService,
  type CalibrateCameraResponse,
  type CalibrationLook,
  type GetCalibrationBoardResponse,
} from "../gen/tilewarden/v1/calibration_pb";
import { useServices, wordsOf } from "./client";

export interface LiveCalibration {
  readonly board: GetCalibrationBoardResponse | undefined;
  // The newest word of the guide; undefined before the first.
  readonly told: CalibrateCameraResponse | undefined;
  // All looks that it told of.
  readonly looks: readonly CalibrationLook[];
  readonly running: boolean;
  // Why it does not go on.
  readonly error: string | undefined;
  // This server looks at no camera.
  readonly absent: boolean;
  begin(anew: boolean): void;
  stop(): void;
}

export function useCalibration(): LiveCalibration {
  const { transport } = useServices();
  const client = useMemo(() => createClient(CalibrationService, transport), [transport]);
  const [board, setBoard] = useState<GetCalibrationBoardResponse | undefined>();
  const [told, setTold] = useState<CalibrateCameraResponse | undefined>();
  const [looks, setLooks] = useState<readonly CalibrationLook[]>([]);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const [absent, setAbsent] = useState(false);
  const call = useRef(new AbortController());

  const failed = (problem: unknown) => {
    setAbsent(ConnectError.from(problem).code === Code.Unimplemented);
    setError(wordsOf(problem));
  };
  useEffect(() => {
    client.getCalibrationBoard({}).then(setBoard, failed);
    return () => call.current.abort();
  }, [client]);

  const guide = async (anew: boolean) => {
    call.current.abort();
    const own = (call.current = new AbortController());
    setError(undefined);
    setTold(undefined);
    setLooks([]);
    setRunning(true);
    try {
      for await (const answer of client.calibrateCamera({ anew }, { signal: own.signal })) {
        setTold(answer);
        if (answer.newLooks.length > 0) setLooks((before) => [...before, ...answer.newLooks]);
      }
    } catch (problem) {
      if (!own.signal.aborted) failed(problem);
    }
    if (call.current === own) setRunning(false);
  };
  return {
    board,
    told,
    looks,
    running,
    error,
    absent,
    begin: (anew) => void guide(anew),
    stop() {
      call.current.abort();
      setRunning(false);
    },
  };
}
