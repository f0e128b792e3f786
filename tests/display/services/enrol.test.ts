// A box laid below the camera of the real vision service, learnt from the page: taken
// a look at, put right by touch and by keys, kept, read with.
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/axe";
import { visit, type Visit } from "../support/browser";
import { boxBelowACamera, takeALook } from "../support/enrol";
import { useStage } from "../support/stage";

const stage = useStage();

it("without a camera says what to do", async () => {
  const v = await visit(stage.browser, `${stage.house.origin}/#/enrol`);
  await v.page.getByRole("heading", { name: "No camera is watching this table" }).waitFor();
  await v.page.getByText("tilewarden up").waitFor();
  await v.context.close();
});

describe("with a box below the camera", () => {
  let v: Visit;
  let camera: Awaited<ReturnType<typeof stage.house.cameraAt>>;
  const tiles = (page: Page) => page.locator("[data-number]");

  beforeAll(async () => {
    camera = await stage.house.cameraAt(await boxBelowACamera(stage.house.folder));
    v = await visit(stage.browser, `${stage.house.origin}/#/enrol`, { calm: true });
  });
  afterAll(async () => {
    await camera?.stop();
    await v?.context.close();
  });

  it("shows what the camera sees meanwhile", async () => {
    const picture = v.page.getByRole("img", { name: "What the camera sees now" });
    await picture.waitFor();
    expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(200);
  });

  it("finds the tiles, doubts first, and says what is missing", async () => {
    await takeALook(v.page);
    expect(await tiles(v.page).count()).toBeGreaterThanOrEqual(22);
    const states = await tiles(v.page).evaluateAll((buttons) => buttons.map((b) => b.querySelector(".state-doubtful") !== null));
    expect(states).toEqual([...states].sort((a, b) => Number(b) - Number(a)));
    await v.page.click(".enrol-missing summary");
    expect(await v.page.textContent('[data-missing="B.V"]')).toContain("1 of 9");
    await v.page.waitForSelector(".enrol-shelf image");
  });

  it("takes a person's word, the likely ones first and then all", async () => {
    const last = tiles(v.page).last();
    const number = await last.getAttribute("data-number");
    const was = await last.getAttribute("data-named");
    await last.click();
    await v.page.waitForSelector(".enrol-naming");
    expect(await v.page.getAttribute("[data-name] >> nth=0", "data-name")).toBe(was);
    await v.page.getByRole("button", { name: "Show all 24 types" }).click();
    expect(await v.page.locator("[data-name]").count()).toBe(24);
    const other = was === "B.X" ? "B.A" : "B.X";
    await v.page.click(`[data-name="${other}"]`);
    await v.page.waitForSelector(`[data-number="${number}"][data-named="${other}"] .state-confirmed`);
    // And back, by keys alone.
    await v.page.focus(`[data-number="${number}"]`);
    await v.page.keyboard.press("Enter");
    await v.page.waitForSelector(".enrol-naming");
    await v.page.getByRole("button", { name: "Show all 24 types" }).focus();
    await v.page.keyboard.press("Enter");
    await v.page.focus(`[data-name="${was}"]`);
    await v.page.keyboard.press("Enter");
    await v.page.waitForSelector(`[data-number="${number}"][data-named="${was}"] .state-confirmed`);
    await v.page.waitForSelector(".enrol-naming", { state: "detached" });
  });

  it.each([
    { size: "tablet", theme: "light" },
    { size: "tablet", theme: "dark" },
    { size: "upright", theme: "light" },
    { size: "upright", theme: "dark" },
    { size: "phone", theme: "light" },
    { size: "phone", theme: "dark" },
  ] as const)("has no barrier that axe finds: $size, $theme", async (looks) => {
    const other = await visit(stage.browser, `${stage.house.origin}/#/enrol`, { ...looks, calm: true });
    await other.page.click("[data-number]");
    await other.page.waitForSelector(".enrol-naming");
    await other.page.click(".enrol-missing summary");
    expect(await barriers(other.page)).toEqual([]);
    await other.context.close();
  });

  it("keeps the box, and the camera reads with it", async () => {
    while (Number(await v.page.getAttribute("[data-doubts]", "data-doubts")) > 0) {
      const doubtful = v.page.locator("[data-number]:has(.state-doubtful)").first();
      const number = await doubtful.getAttribute("data-number");
      await doubtful.click();
      await v.page.click("[data-name] >> nth=0");
      await v.page.waitForSelector(`[data-number="${number}"] .state-confirmed`);
    }
    await v.page.getByRole("button", { name: "Save this box" }).click();
    await v.page.waitForSelector("[data-kept]");
    await access(join(stage.house.folder, "box.pack"));
    await v.page.reload();
    await v.page.waitForSelector("[data-kept]");
    expect(await tiles(v.page).count()).toBeGreaterThanOrEqual(22);
    expect(v.complaints).toEqual([]);
    expect(v.strangers).toEqual([]);
  });

  it("takes a look back", async () => {
    await v.page.getByRole("button", { name: "Take back the last look" }).click();
    await v.page.getByRole("button", { name: "Take a look" }).waitFor();
    expect(await tiles(v.page).count()).toBe(0);
  });
});
