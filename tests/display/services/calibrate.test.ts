// The lens of a camera measured from the page, with the board on the page itself: a
// second page looks at it as a camera does that bends nothing, held as the guide asks.
import { access, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/axe";
import { visit, type Visit } from "../support/browser";
import { FOCAL, HeldBoard } from "../support/held_board";
import { useStage } from "../support/stage";

const stage = useStage();

it("without a camera says what to do", async () => {
  const v = await visit(stage.browser, `${stage.house.origin}/#/calibrate`);
  await v.page.getByRole("heading", { name: "No camera is watching this table" }).waitFor();
  await v.context.close();
});

describe("before a camera", () => {
  let v: Visit;
  let eye: HeldBoard;
  let vision: Awaited<ReturnType<typeof stage.house.cameraAt>>;
  const looks = () => v.page.evaluate(() => Number(document.querySelector("progress")?.dataset["looks"] ?? 0));

  beforeAll(async () => {
    const folder = join(stage.house.folder, "held");
    await mkdir(folder);
    await stage.house.cameraAt(folder).then((running) => (vision = running));
    v = await visit(stage.browser, `${stage.house.origin}/#/calibrate`, { calm: true });
    await v.page.waitForSelector(".calibrate-board path");
    eye = await HeldBoard.of(v, folder);
    await eye.takeNothing();
  });
  afterAll(async () => {
    await vision?.stop();
    await v?.context.close();
  });

  it("says why a picture is no look", async () => {
    await v.page.getByRole("button", { name: "Begin" }).click();
    await v.page.waitForSelector('[data-obstacle="no-board"]');
    await v.page.waitForSelector(".calibrate-coverage");
  });

  it("goes on with its looks after the page was away", async () => {
    while ((await looks()) < 2) await eye.take(4, "none").then(() => v.page.waitForTimeout(200));
    const before = await looks();
    await v.page.reload();
    await v.page.getByRole("button", { name: "Begin" }).click();
    await expect.poll(looks, { timeout: 10_000 }).toBeGreaterThanOrEqual(before);
  });

  it.each([
    { size: "tablet", theme: "light" },
    { size: "phone", theme: "dark" },
  ] as const)("has no barrier that axe finds: $size, $theme", async (sight) => {
    const other = await visit(stage.browser, `${stage.house.origin}/#/calibrate`, { ...sight, calm: true });
    await other.page.waitForSelector(".calibrate-board path");
    expect(await barriers(other.page)).toEqual([]);
    await other.context.close();
  });

  it("guides to a lens that is kept", async () => {
    for (let shot = 0; shot < 150 && (await v.page.locator("[data-result]").count()) === 0; ++shot) {
      const before = await looks();
      await eye.follow(v.page);
      // Taken; or the same as one before, which the next shot is not.
      await v.page
        .waitForFunction((was) => document.querySelector("progress")?.dataset["looks"] !== was, String(before), { timeout: 1_000 })
        .catch(() => {});
    }
    const result = v.page.locator("[data-result]");
    expect(["good", "usable"]).toContain(await result.getAttribute("data-result"));
    const profile = await readFile(join(stage.house.folder, "camera.toml"), "utf8");
    const focal = Number(/focal_px\s*=\s*([\d.]+)/.exec(profile)?.[1]);
    expect(Math.abs(focal / FOCAL - 1)).toBeLessThan(0.02);
    expect(v.complaints).toEqual([]);
    expect(v.strangers).toEqual([]);
  }, 240_000);

  it("can be done once more, by keys alone", async () => {
    await v.page.getByRole("button", { name: "Once more" }).focus();
    await v.page.keyboard.press("Enter");
    await v.page.waitForSelector("progress");
    await v.page.getByRole("button", { name: "Stop" }).focus();
    await v.page.keyboard.press("Enter");
    await v.page.getByRole("button", { name: "Begin" }).waitFor();
    await access(join(stage.house.folder, "camera.toml"));
  });
});
