import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GameService, ListGamesResponseSchema, WatchGameResponseSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { doorOf } from "../../../services/display/src/live/access";

// A browser's memory.
function shelf(entries: Record<string, string> = {}): Storage {
  const kept = new Map(Object.entries(entries));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

// A service that lets in whoever has this token; what it was sent.
function house(store: Storage, good: string) {
  const door = doorOf(store);
  const seen: (string | null)[] = [];
  const check = (header: Headers) => {
    seen.push(header.get("Authorization"));
    if (header.get("Authorization") !== `Bearer ${good}`) throw new ConnectError("pair", Code.Unauthenticated);
  };
  const transport = createRouterTransport(
    (router) =>
      router.service(GameService, {
        listGames: (_, { requestHeader }) => {
          check(requestHeader);
          return create(ListGamesResponseSchema);
        },
        // Refused in the middle: the token is revoked meanwhile.
        async *watchGame() {
          yield create(WatchGameResponseSchema, { what: { case: "heartbeat", value: {} } });
          throw new ConnectError("not any more", Code.Unauthenticated);
        },
        endGame: () => {
          throw new ConnectError("not yours", Code.PermissionDenied);
        },
      }),
    { transport: { interceptors: [door.interceptor] } },
  );
  let shut = 0;
  door.onShut(() => ++shut);
  return { door, client: createClient(GameService, transport), seen, shut: () => shut };
}

describe("the door", () => {
  it("is shut without a token, and open with the one that is kept", async () => {
    const store = shelf();
    const { door, client, seen, shut } = house(store, "good");
    await expect(client.listGames({})).rejects.toThrow("pair");
    expect([seen, shut()]).toEqual([[null], 1]);
    door.keep("good");
    await client.listGames({});
    expect([seen, shut()]).toEqual([[null, "Bearer good"], 1]);
    const later = house(store, "good");
    await later.client.listGames({});
    expect(later.shut()).toBe(0);
  });

  it("forgets a token that is refused, and sends it no more", async () => {
    const store = shelf({ "tilewarden.token": "old" });
    const { client, seen } = house(store, "good");
    await expect(client.listGames({})).rejects.toThrow();
    await expect(client.listGames({})).rejects.toThrow();
    expect(seen).toEqual(["Bearer old", null]);
    expect(store.getItem("tilewarden.token")).toBeNull();
  });

  it("shuts in the middle of a stream", async () => {
    const { client, shut } = house(shelf({ "tilewarden.token": "good" }), "good");
    const messages: string[] = [];
    const watch = async () => {
      for await (const { what } of client.watchGame({})) messages.push(what.case ?? "");
    };
    await expect(watch()).rejects.toThrow("not any more");
    expect([messages, shut()]).toEqual([["heartbeat"], 1]);
  });

  it("stays open when a role does not suffice", async () => {
    const { client, shut } = house(shelf({ "tilewarden.token": "good" }), "good");
    await expect(client.endGame({})).rejects.toThrow("not yours");
    expect(shut()).toBe(0);
  });

  it("opens in browsers that keep nothing", async () => {
    const nothing = {
      getItem: () => {
        throw new Error("no");
      },
      setItem: () => {
        throw new Error("no");
      },
    } as unknown as Storage;
    const { door, client } = house(nothing, "good");
    door.keep("good");
    await client.listGames({});
  });
});
