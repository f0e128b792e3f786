// How this device is let in: the token that it was given for a pairing code. It is
// sent as a header with each call to the origin that served the page, and to
// nobody else; no cookie, which a browser would also send for other sites' pages
// and to other ports of the same host.
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

const KEY = "tilewarden.token";

export interface Door {
  readonly interceptor: Interceptor;
  // This device is let in with this token from now on.
  keep(token: string): void;
  // Whether this device was let in with a token.
  readonly held: boolean;
  // Forgets the token: this device is not let in any more.
  leave(): void;
  // Calls back when this device is not let in, as a refused call says, or any more.
  onShut(listener: () => void): () => void;
}

export function doorOf(store: Storage | undefined): Door {
  let token = read(store);
  const listeners = new Set<() => void>();
  const write = (next: string) => {
    token = next;
    try {
      if (next) store?.setItem(KEY, next);
      else store?.removeItem(KEY);
    } catch {
      // A browser that keeps nothing is let in until the page is closed.
    }
  };
  const refused = (error: unknown, used: string) => {
    // What was asked before it was let in says nothing about now.
    if (ConnectError.from(error).code !== Code.Unauthenticated || used !== token) return;
    leave();
  };
  const leave = () => {
    write("");
    for (const listener of listeners) listener();
  };
  async function* watched<T>(messages: AsyncIterable<T>, used: string): AsyncIterable<T> {
    try {
      yield* messages;
    } catch (error) {
      refused(error, used);
      throw error;
    }
  }
  return {
    interceptor: (next) => async (request) => {
      const used = token;
      if (used) request.header.set("Authorization", `Bearer ${used}`);
      try {
        const response = await next(request);
        return response.stream ? { ...response, message: watched(response.message, used) } : response;
      } catch (error) {
        refused(error, used);
        throw error;
      }
    },
    keep: write,
    get held() {
      return token !== "";
    },
    leave,
    onShut(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function read(store: Storage | undefined): string {
  try {
    return store?.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

// How others get to this page, as its gateway tells.
export interface About {
  // None: only this machine reaches it.
  readonly addresses: readonly string[];
  // Of the certificate that they are shown; empty: none.
  readonly fingerprint: string;
}

const NOWHERE: About = { addresses: [], fingerprint: "" };

export async function readAbout(signal: AbortSignal): Promise<About> {
  const response = await fetch("about.json", { signal });
  if (!response.ok) return NOWHERE;
  const { addresses, fingerprint } = (await response.json()) as Partial<About>;
  return { addresses: addresses ?? [], fingerprint: fingerprint ?? "" };
}
