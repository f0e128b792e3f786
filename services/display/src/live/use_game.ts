// Hooks that keep components on the live game.
import { useEffect, useState } from "preact/hooks";
import type { TileType } from "../gen/tilewarden/v1/game_pb";
import type { View } from "../model/view";
import { untilDone, type GameClient } from "./client";
import { wallClock, watchGame, type Link } from "./watcher";

export interface LiveGame {
  readonly view: View | undefined;
  readonly link: Link;
}

// After this long out of sight a connection may be dead without a sign of it.
const SLEEP_MS = 10_000;

export function useGame(client: GameClient, gameId: string): LiveGame {
  const [live, setLive] = useState<LiveGame>({ view: undefined, link: "connecting" });
  useEffect(() => {
    setLive({ view: undefined, link: "connecting" });
    const watch = watchGame({
      gameId,
      open: (id, resumeAfter, signal) => client.watchGame({ gameId: id, resumeAfter }, { signal }),
      onView: (view) => setLive((before) => ({ ...before, view })),
      onLink: (link) => setLive((before) => (before.link === link ? before : { ...before, link })),
      clock: wallClock,
    });
    let hiddenAt = 0;
    const wake = () => watch.wake();
    const seen = () => {
      if (document.hidden) hiddenAt = Date.now();
      else if (hiddenAt > 0 && Date.now() - hiddenAt > SLEEP_MS) watch.wake();
    };
    // Both ways: what is shown may be old from now on, or need not be any more.
    window.addEventListener("offline", wake);
    window.addEventListener("online", wake);
    document.addEventListener("visibilitychange", seen);
    return () => {
      watch.stop();
      window.removeEventListener("offline", wake);
      window.removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [client, gameId]);
  return live;
}

export type TileTypes = ReadonlyMap<string, TileType>;
const NONE: TileTypes = new Map();
export const tileTypesOf = (tiles: readonly TileType[]): TileTypes => new Map(tiles.map((tile) => [tile.id, tile]));

// Tile sets read or being read: a wall of tables asks for each once.
const shelves = new WeakMap<GameClient, Map<string, Promise<TileTypes>>>();

const keyOf = ({ tileSet, tileEdition }: View): string => `${tileSet}/${tileEdition}`;

export function readTypes(client: GameClient, view: View): Promise<TileTypes> {
  const { gameId } = view;
  const key = keyOf(view);
  const shelf = shelves.get(client) ?? new Map<string, Promise<TileTypes>>();
  shelves.set(client, shelf);
  const known = shelf.get(key);
  if (known) return known;
  const reading = client
    .getTileSet({ gameId })
    .then(({ tiles }) => tileTypesOf(tiles));
  shelf.set(key, reading);
  reading.catch(() => shelf.delete(key));
  return reading;
}

// The tile types that the game is played with; tries again until it has them.
export function useTileTypes(client: GameClient, view: View | undefined): TileTypes {
  const [types, setTypes] = useState<TileTypes>(NONE);
  const key = view && keyOf(view);
  useEffect(() => {
    if (!view) return;
    return untilDone(() => readTypes(client, view), setTypes);
  }, [client, key]);
  return types;
}
