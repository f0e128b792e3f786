// The board that the page shows to calibrate with, held before a camera: a second page
// looks at it as a camera does that bends nothing.
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Visit } from "./browser";

const WIDTH = 1440;
const HEIGHT = 810;
export const FOCAL = 1350;

// A pinhole camera before which a picture of the board is held.
export class HeldBoard {
  private shots = 0;
  private constructor(
    private readonly page: Page,
    private readonly folder: string,
  ) {}

  // The board is the one that this visit's page shows; pictures go into the folder.
  static async of(v: Visit, folder: string): Promise<HeldBoard> {
    const board = await v.page.locator(".calibrate-board svg").screenshot();
    const page = await v.context.newPage();
    await page.setViewportSize({ width: WIDTH, height: HEIGHT });
    await page.setContent(`<style>
      body { margin: 0; background: #b7a58c; overflow: hidden; }
      main { width: ${WIDTH}px; height: ${HEIGHT}px; perspective: ${FOCAL}px; display: grid; place-items: center; }
      img { height: ${HEIGHT * 0.62}px; }
    </style><main><img src="data:image/png;base64,${board.toString("base64")}"></main>`);
    return new HeldBoard(page, folder);
  }

  // Part of the picture and tilt as the guide names them; never twice quite the same.
  async take(place: number, tilt: string): Promise<void> {
    const n = ++this.shots;
    const off = (step: number) => 3 * Math.sin(n * step);
    const x = ((place % 3) - 1) * WIDTH * 0.33 + off(1.3) * 26;
    const y = (Math.floor(place / 3) - 1) * HEIGHT * 0.27 + off(2.1) * 18;
    const angle = 32 + off(0.7) * 3;
    const [rx, ry] = { left: [0, -angle], right: [0, angle], top: [angle, 0], bottom: [-angle, 0], none: [off(1.1), off(1.9)] }[tilt] ?? [0, 0];
    await this.page.evaluate(
      (transform) => ((document.querySelector("img") as HTMLElement).style.transform = transform),
      `translate3d(${x}px, ${y}px, ${off(2.7) * 70}px) rotateX(${rx}deg) rotateY(${ry}deg) rotateZ(${off(0.9) * 3}deg)`,
    );
    await this.put(await this.page.screenshot({ type: "jpeg", quality: 97 }));
  }
  // As the guide on this page asks.
  async follow(page: Page): Promise<void> {
    const wish = await page.evaluate(() => (document.querySelector(".calibrate-wish") as HTMLElement | null)?.dataset);
    await this.take(Number(wish?.["place"] ?? 4), wish?.["tilt"] ?? "none");
  }
  // What the board is not in.
  async takeNothing(): Promise<void> {
    await this.page.evaluate(() => ((document.querySelector("img") as HTMLElement).style.transform = "translateX(5000px)"));
    await this.put(await this.page.screenshot({ type: "jpeg", quality: 97 }));
  }

  // Whole at once, as the folder is watched.
  private async put(picture: Buffer): Promise<void> {
    const name = join(this.folder, `${String(this.shots).padStart(4, "0")}-${Date.now()}.jpg`);
    await writeFile(`${name}.part`, picture);
    await rename(`${name}.part`, name);
  }
}
