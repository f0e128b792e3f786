// What the pictures of a finding or a question show.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { XY } from "../../../services/display/src/model/grid";

// The colour that one of the pictures has in the middle of a cell. `around`: the card that they
// are in. The rim lies around all cells at issue.
export async function colourOf(page: Page, around: string, when: "before" | "now" | "after", cell: XY): Promise<readonly number[]> {
  const rim = page.locator(`${around} [data-evidence="${when}"] [data-lit]`);
  const cells = (await rim.getAttribute("data-lit"))!.split(" ").map((key) => key.split(",").map(Number) as [number, number]);
  const [west, north] = [Math.min(...cells.map(([x]) => x)), Math.min(...cells.map(([, y]) => y))];
  const [columns, rows] = [Math.max(...cells.map(([x]) => x)) + 1 - west, Math.max(...cells.map(([, y]) => y)) + 1 - north];
  const box = (await rim.boundingBox())!;
  const at = { x: box.x + ((cell.x + 0.5 - west) / columns) * box.width, y: box.y + ((cell.y + 0.5 - north) / rows) * box.height };
  const clip = { x: Math.round(at.x) - 2, y: Math.round(at.y) - 2, width: 4, height: 4 };
  const png = await page.screenshot({ clip });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const context = new OffscreenCanvas(1, 1).getContext("2d")!;
    context.drawImage(await createImageBitmap(new Blob([bytes], { type: "image/png" })), 0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  }, png.toString("base64"));
}

export function expectNear(seen: readonly number[], painted: readonly number[]): void {
  for (const [i, value] of painted.entries()) expect(Math.abs(seen[i]! - value), `${seen} is ${painted}`).toBeLessThan(25);
}
