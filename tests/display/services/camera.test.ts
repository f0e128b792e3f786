// The camera of a table, with the real vision service that looks at the recorded
// one: its picture over the board, and how it is doing.
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cellColour, visit, type Visit } from "../support/browser";
import { createGame } from "../support/players";
import { useStage } from "../support/stage";

const RECORDING = fileURLToPath(new URL("../../recorded/two_players.mp4", import.meta.url));
const stage = useStage();

const health = (page: Page, state: string) => page.waitForSelector(`[data-health="${state}"]`);

it("without a camera says so, and how to set one up", async () => {
  const { gameId } = await createGame(stage.client, "none", "No camera");
  const v = await visit(stage.browser, `${stage.house.origin}/#/camera/${gameId}`);
  await health(v.page, "none");
  await v.page.locator('[data-advice="connect"]').waitFor();
  expect(await v.page.locator(".steps li").count()).toBe(5);
  await v.page.goto(`${stage.house.origin}/#/board/${gameId}`);
  await v.page.getByRole("button", { name: "Blend in the camera’s picture" }).click();
  await v.page.getByText("No picture of this table yet.").waitFor();
  expect(await v.page.$$("image")).toEqual([]);
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

describe("with a camera over the recorded table", () => {
  let v: Visit;
  let gameId = "";
  let camera: Awaited<ReturnType<typeof stage.house.look>>;

  beforeAll(async () => {
    camera = await stage.house.look(RECORDING);
    gameId = camera.greeting;
    v = await visit(stage.browser, `${stage.house.origin}/#/camera/${gameId}`, { calm: true });
  });
  afterAll(async () => {
    await camera?.stop();
    await v?.context.close();
  });

  it("tells how it is doing, and shows what it sees", async () => {
    await health(v.page, "good");
    await v.page.waitForSelector(".camera-sees image");
    expect(await v.page.textContent(".health-facts")).toMatch(/Width of a tile\d+ pixels/);
  });

  it("blends its picture in where the tiles lie, by a slider", async () => {
    await v.page.goto(`${stage.house.origin}/#/board/${gameId}`);
    await v.page.getByRole("button", { name: "Blend in the camera’s picture" }).click();
    const slider = v.page.getByRole("slider", { name: "Blend in the camera’s picture" });
    await slider.waitFor();
    const picture = v.page.locator(".camera-picture");
    await picture.waitFor();
    expect(await picture.getAttribute("opacity")).toBe("0.5");
    await slider.focus();
    await v.page.keyboard.press("Home");
    await v.page.waitForSelector('.camera-picture[opacity="0"]', { state: "attached" });
    const drawn = await cellColour(v.page, { x: 0, y: 0 });
    await v.page.keyboard.press("End");
    await v.page.waitForSelector('.camera-picture[opacity="1"]');
    const seen = await cellColour(v.page, { x: 0, y: 0 });
    // The start tile is there in both, in another drawing; beside the board lies
    // the table's cloth, which only the camera knows.
    expect(seen).not.toEqual(drawn);
    // In cells of the board: whole ones, the start tile and a cell around it among them.
    const covered = await picture.evaluate((image) => {
      const box = image.getBoundingClientRect();
      const m = document.querySelector<SVGSVGElement>(".world")!.getScreenCTM()!;
      return [(box.left - m.e) / m.a, (box.top - m.f) / m.d, (box.right - m.e) / m.a, (box.bottom - m.f) / m.d].map((at) => at / 100);
    });
    for (const edge of covered) expect(edge).toBeCloseTo(Math.round(edge), 1);
    const [west, north, east, south] = covered.map(Math.round) as [number, number, number, number];
    expect(Math.max(west, north)).toBeLessThanOrEqual(-1);
    expect(Math.min(east, south)).toBeGreaterThanOrEqual(2);
    await v.page.getByRole("button", { name: "Blend in the camera’s picture" }).click();
    await picture.waitFor({ state: "detached" });
  });

  it("says that it has fallen silent", async () => {
    await camera.stop();
    await v.page.goto(`${stage.house.origin}/#/camera/${gameId}`);
    await health(v.page, "silent");
    expect(v.complaints).toEqual([]);
    expect(v.strangers).toEqual([]);
  });
});
