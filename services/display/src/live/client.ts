// The engine service as this page sees it: gRPC-Web over the origin that served
// the page, and no other host.
import { ConnectError, createClient, type Client, type Transport } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { GameService } from "../gen/tilewarden/v1/game_pb";
import { QueryService } from "../gen/tilewarden/v1/query_pb";
import { doorOf, type Door } from "./access";

export type GameClient = Client<typeof GameService>;
export type QueryClient = Client<typeof QueryService>;

export interface Services {
  readonly game: GameClient;
  readonly query: QueryClient;
  // For the services that only some views ask.
  readonly transport: Transport;
  readonly door: Door;
}

export function connectToOrigin(store: Storage | undefined): Services {
  const door = doorOf(store);
  const transport = createGrpcWebTransport({ baseUrl: window.location.origin, interceptors: [door.interceptor] });
  return { game: createClient(GameService, transport), query: createClient(QueryService, transport), transport, door };
}

const ServicesContext = createContext<Services | undefined>(undefined);
export const ServicesProvider = ServicesContext.Provider;
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error("no services around this view");
  return services;
}

// What went wrong with a call, in the service's words; some have none.
export function wordsOf(problem: unknown): string {
  const error = ConnectError.from(problem);
  return error.rawMessage || error.message;
}

// Names a request, so that a retry is not a second one. Works without TLS too,
// where browsers have no randomUUID.
export const newRequestId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const RETRY_MS = 2_000;

// Reads again and again until it succeeds; the answer stops it.
export function untilDone<T>(read: (signal: AbortSignal) => Promise<T>, done: (value: T) => void): () => void {
  const reading = new AbortController();
  const { signal } = reading;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = () =>
    void read(signal).then(
      (value) => signal.aborted || done(value),
      () => {
        if (!signal.aborted) timer = setTimeout(attempt, RETRY_MS);
      },
    );
  attempt();
  return () => {
    reading.abort();
    clearTimeout(timer);
  };
}
