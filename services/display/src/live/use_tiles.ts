// Tile types as an owner defines them.
import { createClient } from "@connectrpc/connect";
import { useMemo } from "preact/hooks";
import { TileService, type CheckTileResponse, type TileEntry } from "../gen/tilewarden/v1/tiles_pb";
import type { Draft } from "../model/tile_draft";
import { useServices } from "./client";
import { useAnswer, type Answer } from "./use_answer";

const requestOf = ({ definition, drawFields, copies, newTile }: Draft) => ({ definition, drawFields, copies, newTile });

function useTileService() {
  const { transport } = useServices();
  return useMemo(() => createClient(TileService, transport), [transport]);
}

// The tiles of a set; `version` asks anew.
export function useTileEntries(tileSet: string, version: number): Answer<readonly TileEntry[]> {
  const tiles = useTileService();
  return useAnswer(
    tileSet ? async (signal) => (await tiles.listTileDefinitions({ tileSet }, { signal })).tiles : undefined,
    [tiles, tileSet, version],
  );
}

// What the engine service says of a tile as it is drawn now.
export function useTileCheck(draft: Draft): Answer<CheckTileResponse> {
  const tiles = useTileService();
  return useAnswer((signal) => tiles.checkTile(requestOf(draft), { signal }), [tiles, draft]);
}

export interface TileKeeper {
  keep(draft: Draft): Promise<void>;
  takeBack(id: string): Promise<void>;
}

export function useTileKeeper(): TileKeeper {
  const tiles = useTileService();
  return {
    keep: async (draft) => void (await tiles.saveTile(requestOf(draft))),
    takeBack: async (id) => void (await tiles.removeTile({ id })),
  };
}
