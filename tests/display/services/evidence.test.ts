// What a finding is about, as the camera saw it: two pictures in the banner, before and now.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/axe";
import { boardHolds, visit, type Visit } from "../support/browser";
import { Camera, misfit, type Extra } from "../support/camera";
import { colourOf, expectNear } from "../support/evidence";
import { CLOTH, paintOf, Painter } from "../support/painter";
import { createGame, playTurns, sightingClient } from "../support/players";
import { useStage } from "../support/stage";
import type { GameState } from "../../../services/display/src/gen/tilewarden/v1/game_pb";

const stage = useStage();
const CALL = "GetFindingEvidence";
let painter: Painter;

beforeAll(async () => {
  painter = await Painter.open(stage.browser);
});
afterAll(async () => {
  await painter?.close();
});

interface Table {
  gameId: string;
  state: GameState;
  wrong: Extra;
  camera: Camera;
}

async function table(name: string, pictures: boolean): Promise<Table> {
  const { gameId } = await createGame(stage.client, name, name);
  await playTurns(stage.client, gameId, 1, 6);
  const state = (await stage.client.getGame({ gameId })).state!;
  const { tiles } = await stage.client.getTileSet({ tileSet: state.tileSet });
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId, pictures ? painter : undefined);
  return { gameId, state, wrong: misfit(state, tiles), camera };
}

// How often the page has asked for pictures.
function asked(page: Page): () => number {
  let times = 0;
  page.on("request", (request) => (times += request.url().includes(CALL) ? 1 : 0));
  return () => times;
}

describe("with a camera that sends pictures", () => {
  let v: Visit;
  let at: Table;
  let times: () => number;

  beforeAll(async () => {
    at = await table("pictures", true);
    v = await visit(stage.browser, `${stage.house.origin}/#/board/${at.gameId}`, { calm: true, shelf: false });
    times = asked(v.page);
    await boardHolds(v.page, 7);
    await at.camera.see(at.state);
  });
  afterAll(async () => {
    await v?.context.close();
  });

  it("asks for none while nothing is wrong", async () => {
    await v.page.waitForTimeout(500);
    expect(times()).toBe(0);
  });

  it("shows the place before and now beside each other", async () => {
    await at.camera.see(at.state, at.wrong);
    await v.page.waitForSelector('.banner [data-evidence="now"]');
    expect(await v.page.$$eval(".banner [data-evidence]", (all) => all.map((one) => one.textContent))).toEqual(["Before", "Now"]);
    expectNear(await colourOf(v.page, ".banner", "before", at.wrong.cell), CLOTH);
    expectNear(await colourOf(v.page, ".banner", "now", at.wrong.cell), paintOf(at.wrong.tile));
    const boxes = await v.page.$$eval(".banner [data-evidence] svg", (all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    expect(boxes[0].top).toBe(boxes[1].top);
    expect(boxes[0].right).toBeLessThanOrEqual(boxes[1].left);
    // The same part of the board, with the finding's cells in a rim.
    const rims = await v.page.$$eval(".banner [data-evidence] [data-lit]", (all) => all.map((one) => one.getAttribute("data-lit")));
    expect(rims[0]).toContain(`${at.wrong.cell.x},${at.wrong.cell.y}`);
    expect(rims[1]).toBe(rims[0]);
  });

  it("tells those who listen what they show", async () => {
    const button = v.page.getByRole("button", { name: /Enlarge the pictures/ });
    const name = await button.evaluate((b) => [...b.querySelectorAll("[role=img]")].map((i) => i.getAttribute("aria-label")));
    expect(name).toEqual(["The place before, as the camera saw it", "The place now, as the camera saw it"]);
    expect(await barriers(v.page)).toEqual([]);
  });

  it("enlarges them by a touch, and closes by button, Escape and a touch beside them", async () => {
    const small = (await v.page.locator('.banner [data-evidence="now"] svg').boundingBox())!;
    const dialog = v.page.locator("dialog.evidence-large");
    const ways = [
      () => dialog.getByRole("button", { name: "Close" }).click(),
      () => v.page.keyboard.press("Escape"),
      () => v.page.mouse.click(5, 5),
    ];
    for (const close of ways) {
      await v.page.locator("button.evidence").click();
      await dialog.waitFor();
      const large = (await dialog.locator('[data-evidence="now"] svg').boundingBox())!;
      expect(large.width).toBeGreaterThan(small.width * 2);
      expect(await barriers(v.page)).toEqual([]);
      await close();
      await dialog.waitFor({ state: "detached" });
    }
  });

  it("has no more to ask, and forgets them when the table is right again", async () => {
    const before = times();
    expect(before).toBeGreaterThan(0);
    await v.page.waitForTimeout(2_500);
    expect(times()).toBe(before);
    await v.page.locator("button.evidence").click();
    await v.page.waitForSelector("dialog.evidence-large");
    await at.camera.see(at.state);
    await v.page.waitForSelector(".banner-solved");
    expect(await v.page.$$("[data-evidence], dialog")).toEqual([]);
    expect(v.complaints).toEqual([]);
    expect(v.strangers).toEqual([]);
  });
});

it("without pictures from the camera says nothing of them, and shows them when they come", async () => {
  const at = await table("none", false);
  await at.camera.see(at.state);
  await at.camera.see(at.state, at.wrong);
  const v = await visit(stage.browser, `${stage.house.origin}/#/board/${at.gameId}`, { calm: true, shelf: false });
  const times = asked(v.page);
  await v.page.waitForSelector('.banner[data-finding="edge-mismatch"]');
  await expect.poll(times, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(await v.page.$$("[data-evidence]")).toEqual([]);
  // The same camera, which can send pictures now: nobody knows how it was before.
  await new Camera(sightingClient(stage.house.engineAddress), at.gameId, painter).see(at.state, at.wrong);
  await v.page.waitForSelector('[data-evidence="now"]');
  expect(await v.page.$$('[data-evidence="before"]')).toEqual([]);
  expect(v.complaints).toEqual([]);
  await v.context.close();
});
