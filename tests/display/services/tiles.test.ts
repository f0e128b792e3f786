// The tile editor, and the box that the camera reads: drawn in Chromium, judged and
// kept by the real engine service.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { SightingSchema } from "../../../services/display/src/gen/tilewarden/v1/vision_pb";
import { visit, type Looks } from "../support/browser";
import { createGame, sightingClient } from "../support/players";
import { useStage } from "../support/stage";

const stage = useStage();
const ownFile = () => readFile(join(stage.house.folder, "own_tiles.toml"), "utf8").catch(() => "");

async function openTiles(set: string, looks: Looks = {}, query = "") {
  const v = await visit(stage.browser, `${stage.house.origin}/${query}#/tiles`, { calm: true, ...looks });
  await v.page.waitForSelector(".tiles-view option", { state: "attached" });
  await v.page.selectOption(".tiles-head select", set);
  return v;
}
const verdict = (page: Page, state: string) => page.waitForSelector(`[data-verdict="${state}"]`);

describe("the tile editor", () => {
  it("corrects an assumed tile, for games that begin later", async () => {
    const before = (await stage.client.createGame({ requestId: "before", tileSet: "base.c1+cutcassonne", placeStartTile: true })).state!;
    const v = await openTiles("cutcassonne");
    await v.page.waitForSelector('[data-tile="C.04"] .state-assumed');
    await v.page.click('[data-tile="C.04"]');
    await verdict(v.page, "good");
    // A coat of arms in the city, and a road with a finger from east to south.
    await v.page.click('[data-segment="0"] .segment-name');
    await v.page.fill('[data-mark="arms"] input', "1");
    await v.page.click('[data-tool="2"]');
    const box = async (side: number) => (await v.page.locator(`[data-zone="${side}"]`).boundingBox())!;
    const [east, south] = [await box(1), await box(2)];
    await v.page.mouse.move(east.x + east.width / 2, east.y + east.height / 2);
    await v.page.mouse.down();
    await v.page.mouse.move(east.x - 60, east.y + 120, { steps: 4 });
    await v.page.mouse.move(south.x + south.width / 2, south.y + south.height / 2, { steps: 4 });
    await v.page.mouse.up();
    await v.page.waitForFunction(() => document.querySelector('[data-zone="1"]')?.textContent === "Road" && document.querySelector('[data-zone="2"]')?.textContent === "Road");
    await verdict(v.page, "good");
    await v.page.getByRole("button", { name: "Save for new games" }).click();
    await v.page.waitForSelector('[data-tile="C.04"] .state-corrected');
    expect(await ownFile()).toContain('{ road = "ES" }');
    expect(await ownFile()).toContain('{ city = "N", coats_of_arms = 1 }');
    expect(await ownFile()).not.toContain("assumed");

    const edges = async (gameId: string) => (await stage.client.getTileSet({ gameId })).tiles.find(({ id }) => id === "C.04")?.edges;
    const after = (await stage.client.createGame({ requestId: "after", tileSet: "base.c1+cutcassonne", placeStartTile: true })).state!;
    expect(await edges(before.gameId)).toBe("cfff");
    expect(await edges(after.gameId)).toBe("crrf");

    await v.page.click('[data-tile="C.04"]');
    await v.page.getByRole("button", { name: "Go back to the box’s tile" }).click();
    await v.page.waitForSelector('[data-tile="C.04"] .state-assumed');
    expect(await ownFile()).not.toContain("C.04");
    expect(v.complaints).toEqual([]);
    expect(v.strangers).toEqual([]);
    await v.context.close();
  });

  it("keeps a drawing when somebody goes back or looks at something else", async () => {
    const v = await openTiles("cutcassonne");
    await v.page.click('[data-tile="C.06"]');
    await verdict(v.page, "good");
    await v.page.click('[data-segment="0"] .segment-name');
    await v.page.fill('[data-mark="arms"] input', "1");
    await verdict(v.page, "good");
    await v.page.goBack();
    await v.page.waitForSelector('[data-tile="C.06"] .state-unfinished');
    await v.page.click('[data-tile="C.06"]');
    const arms = async () => {
      await v.page.click('[data-segment="0"] .segment-name');
      return v.page.inputValue('[data-mark="arms"] input');
    };
    expect(await arms()).toBe("1");
    await v.page.click('.header nav a[href^="#/scores"]');
    await v.page.goBack();
    expect(await arms()).toBe("1");
    // Who cancels wants it gone.
    await v.page.getByRole("button", { name: "Cancel" }).click();
    await v.page.waitForSelector('[data-tile="C.06"]');
    expect(await v.page.$$(".state-unfinished")).toEqual([]);
    await v.page.click('[data-tile="C.06"]');
    expect(await arms()).toBe("0");
    expect(await ownFile()).not.toContain("C.06");
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });

  it("says what cannot be with file, line and tile, and keeps nothing then", async () => {
    const v = await openTiles("cutcassonne");
    await v.page.click('[data-tile="C.05"]');
    await verdict(v.page, "good");
    // A field that is said to border no city.
    await v.page.getByRole("switch", { name: "Fields follow the drawing" }).uncheck();
    await v.page.click('[data-segment="1"] .segment-name');
    await v.page.click("[data-border] input");
    await verdict(v.page, "fault");
    expect(await v.page.textContent('[data-verdict="fault"]')).toContain("own_tiles.toml:4: tile C.05: field 1 meets city 0 at a corner");
    expect(await v.page.getByRole("button", { name: "Save for new games" }).isDisabled()).toBe(true);
    await v.page.getByRole("button", { name: "Undo" }).click();
    await verdict(v.page, "good");
    // A figure that would not stand on its city.
    await v.page.click('[data-segment="0"] .segment-name');
    const spot = (await v.page.locator(".spot-point").boundingBox())!;
    const tile = (await v.page.locator(".tile-canvas .tile").boundingBox())!;
    await v.page.mouse.move(spot.x + spot.width / 2, spot.y + spot.height / 2);
    await v.page.mouse.down();
    await v.page.mouse.move(tile.x + tile.width * 0.2, tile.y + tile.height * 0.85, { steps: 5 });
    await v.page.mouse.up();
    await verdict(v.page, "fault");
    expect(await v.page.textContent('[data-verdict="fault"]')).toContain("own_tiles.toml:4: tile C.05: segment 0: its figure would not stand on this city but on the field");
    expect(await ownFile()).not.toContain("C.05");
    await v.context.close();
  });

  it("draws a home-made tile by keys alone, to be played with any box", async () => {
    const v = await openTiles("home");
    const { keyboard } = v.page;
    const press = async (selector: string, key = "Enter") => {
      await v.page.focus(selector);
      await keyboard.press(key);
    };
    await v.page.getByRole("button", { name: "A tile of your own" }).focus();
    await keyboard.press("Enter");
    await press('[data-tool="1"]');
    await press('[data-zone="0"]');
    await press('[data-zone="2"]');
    await press('[data-tool="2"]', " ");
    await press('[data-zone="3"]');
    await press('[data-zone="3"]');
    await press('[data-plot="5"]');
    await press('[data-segment="0"] .segment-name');
    await verdict(v.page, "good");
    const spotAt = async () => Number(await v.page.getAttribute(".spot-point", "cx"));
    const from = await spotAt();
    await press("[data-spot]", "ArrowRight");
    await v.page.waitForFunction((x) => Number(document.querySelector(".spot-point")?.getAttribute("cx")) > x, from);
    await verdict(v.page, "good");
    await v.page.getByRole("button", { name: "Save for new games" }).focus();
    await keyboard.press("Enter");
    await v.page.waitForSelector('[data-tile="H.1"]');
    expect(await ownFile()).toMatch(/id = "H\.1"\nedges = "cfcr"/);
    expect(await ownFile()).toMatch(/city = "NS", spot = \[/);

    await v.page.goto(`${stage.house.origin}/#/new`);
    await v.page.getByRole("checkbox", { name: "Home-made tiles" }).check();
    await v.page.getByRole("button", { name: "Start" }).click();
    await v.page.waitForSelector(".world .tile[data-cell]");
    const { state } = await stage.client.getGame({ gameId: "" });
    expect(state).toMatchObject({ tileSet: "base.c1+home" });
    expect(state?.tilesLeft["H.1"]).toBe(1);
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });

  it("is not for those who only watch", async () => {
    const v = await visit(stage.browser, `${stage.house.origin}/?spectator#/tiles`);
    await v.page.waitForSelector(".board-view");
    expect(await v.page.$$(".tiles-view")).toEqual([]);
    await v.page.goto(`${stage.house.origin}/?spectator#/tables`);
    await v.page.waitForSelector(".tables-view");
    expect(await v.page.$$('a[href^="#/tiles"]')).toEqual([]);
    await v.context.close();
  });
});

it("a game about to begin takes the box that the camera reads, until somebody chooses another", async () => {
  const { gameId } = await createGame(stage.client, "seen", "Seen");
  await sightingClient(stage.house.engineAddress).reportSightings(
    (async function* () {
      const tiles = [{ cell: { x: 0, y: 0 }, candidates: [{ tile: "B.D", rotation: 0, probability: 0.99 }] }];
      yield { gameId, session: "camera", tileSet: "base.c2+river1.c2", sighting: create(SightingSchema, { sequence: 1n, settled: true, tiles }) };
    })(),
  );
  const v = await visit(stage.browser, `${stage.house.origin}/#/new`, { calm: true });
  await v.page.waitForSelector('[data-recognised="base.c2+river1.c2"]');
  expect(await v.page.textContent(".camera-box")).toContain("1 tile seen clearly");
  expect(await v.page.inputValue(".new-view select")).toBe("base.c2");
  expect(await v.page.getByRole("checkbox", { name: "The River", exact: true }).isChecked()).toBe(true);
  const back = v.page.getByRole("button", { name: "Use the camera’s box" });
  expect(await back.count()).toBe(0);
  await v.page.selectOption(".new-view select >> nth=0", "winter");
  await back.click();
  expect(await v.page.inputValue(".new-view select")).toBe("base.c2");
  expect(v.complaints).toEqual([]);
  await v.context.close();
});
