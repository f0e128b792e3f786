// The services and a browser for a file of tests: opened before its first test,
// closed after its last.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser } from "./browser";
import { gameClient, queryClient, type GameClient } from "./players";
import { House } from "./services";

export interface Stage {
  house: House;
  browser: Browser;
  // Through the gateway, as the page does it.
  client: GameClient;
  query: ReturnType<typeof queryClient>;
}

export function useStage(): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    [stage.house, stage.browser] = await Promise.all([House.open(), openBrowser()]);
    stage.client = gameClient(stage.house.origin);
    stage.query = queryClient(stage.house.origin);
  });
  afterAll(async () => {
    await stage.browser?.close();
    await stage.house?.close();
  });
  return stage;
}
