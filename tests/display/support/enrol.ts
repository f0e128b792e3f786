// A box laid below a camera, and the page that looks at it.
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { program } from "./services";

// The folder that such a camera fills: every type once, in any order and turn.
export async function boxBelowACamera(folder: string): Promise<string> {
  const camera = join(folder, "camera");
  await mkdir(camera);
  const maker = join(dirname(program), "tilewarden-virtual-table");
  await promisify(execFile)(maker, ["enrol", "--box", "13", "--seed", "5", "--width", "1280", "--height", "720", "--out", join(camera, "1.jpg")]);
  return camera;
}

// Until tiles were found: the camera may not have given its first picture yet.
export async function takeALook(page: Page): Promise<void> {
  const tiles = page.locator("[data-number]");
  for (let tries = 0; tries < 20 && (await tiles.count()) === 0; ++tries) {
    await page.getByRole("button", { name: /^(Take a look|Aufnehmen)$/ }).click();
    await page.waitForSelector("[data-number], .refused", { timeout: 60_000 });
  }
}
