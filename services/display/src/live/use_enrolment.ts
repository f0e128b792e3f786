// The box that is being enrolled at this server's camera.
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Enrolment } from "../gen/tilewarden/v1/enrolment_pb";
import { EnrolmentService } from "../gen/tilewarden/v1/enrolment_pb";
import { newRequestId, useServices, wordsOf } from "./client";

export type EnrolmentStep =
  | { readonly kind: "look"; readonly tileSet: string }
  | { readonly kind: "drop"; readonly look: number }
  | { readonly kind: "name"; readonly number: number; readonly tile: string; readonly turns?: number }
  | { readonly kind: "keep" };

export interface LiveEnrolment {
  // Undefined: not known yet.
  readonly enrolment: Enrolment | undefined;
  // What is being done, while it is.
  readonly busy: EnrolmentStep["kind"] | undefined;
  // Why the last step was not done.
  readonly error: string | undefined;
  // This server looks at no camera.
  readonly absent: boolean;
  // True: it is done.
  carryOut(step: EnrolmentStep): Promise<boolean>;
}

export function useEnrolment(): LiveEnrolment {
  const { transport } = useServices();
  const client = useMemo(() => createClient(EnrolmentService, transport), [transport]);
  const [enrolment, setEnrolment] = useState<Enrolment | undefined>();
  const [busy, setBusy] = useState<EnrolmentStep["kind"] | undefined>();
  const [error, setError] = useState<string | undefined>();
  const [absent, setAbsent] = useState(false);

  const follow = async (asked: Promise<{ readonly enrolment?: Enrolment }>): Promise<boolean> => {
    try {
      setEnrolment((await asked).enrolment);
      setError(undefined);
      return true;
    } catch (problem) {
      setAbsent(ConnectError.from(problem).code === Code.Unimplemented);
      setError(wordsOf(problem));
      return false;
    }
  };
  useEffect(() => void follow(client.getEnrolment({})), [client]);

  return {
    enrolment,
    busy,
    error,
    absent,
    async carryOut(step) {
      setBusy(step.kind);
      try {
        switch (step.kind) {
          case "look":
            return await follow(client.takeLook({ requestId: newRequestId(), tileSet: step.tileSet }));
          case "drop":
            return await follow(client.dropLook({ look: step.look }));
          case "name":
            return await follow(client.nameTile(step));
          case "keep":
            return await follow(client.keepBox({}));
        }
      } finally {
        setBusy(undefined);
      }
    },
  };
}
