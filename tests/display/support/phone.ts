// A phone over the table: Chromium with its fake camera, which shows pictures of the virtual table,
// and comes to the house's page as a device in the network does.
import { createWriteStream } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { once } from "node:events";
import type { Browser } from "playwright-core";
import { fromTheNetwork, openBrowser, visit, type Visit } from "./browser";
import type { PlayedGame } from "./evening";

// Chromium's own, of a film of JPEG pictures.
const PER_SECOND = 30;
const HOST = "tilewarden.test";

export interface Shot {
  readonly file: string;
  readonly seconds: number;
}

// What lies there between two numbers of turns, hands and all; then the last picture for long, since
// the film begins anew at its end.
export function shotsOf({ pictures }: PlayedGame, from: number, to: number, look_s: number, hand_s: number, hold_s: number): readonly Shot[] {
  const first = pictures.findIndex(({ tiles }) => tiles === from + 1);
  const last = pictures.findLastIndex(({ tiles }) => tiles === to + 1);
  const shots = pictures.slice(first, last + 1).map(({ file, tiles }) => ({ file, seconds: tiles > 0 ? look_s : hand_s }));
  return [...shots, { file: shots.at(-1)!.file, seconds: hold_s }];
}

export async function writeFilm(film: string, shots: readonly Shot[]): Promise<void> {
  const out = createWriteStream(`${film}.part`);
  for (const { file, seconds } of shots) {
    const picture = await readFile(file);
    for (let i = 0; i < Math.round(seconds * PER_SECOND); ++i) {
      if (!out.write(picture)) await once(out, "drain");
    }
  }
  out.end();
  await once(out, "finish");
  await rename(`${film}.part`, film);
}

export class Phone {
  private constructor(
    private readonly browser: Browser,
    readonly visit: Visit,
  ) {}

  // Scans the code that the house's page shows at this address.
  static async scan(film: string, address: string, code: string): Promise<Phone> {
    const browser = await openBrowser([
      ...fromTheNetwork(HOST),
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ]);
    const link = `https://${HOST}:${new URL(address).port}/#/pair/${code.replace(/-/g, "")}`;
    const phone = new Phone(browser, await visit(browser, link, { size: "phone", touch: true }));
    await phone.is("live");
    return phone;
  }
  get page(): Visit["page"] {
    return this.visit.page;
  }
  async is(state: string): Promise<void> {
    await this.page.waitForSelector(`[data-phone="${state}"]`, { timeout: 30_000 });
  }
  // The film from its beginning, as it is now.
  async reload(): Promise<void> {
    await this.page.reload();
    await this.is("live");
  }
  // Begins to note when the film shows another picture; what comes back tells of all until then.
  async watchCuts(): Promise<() => Promise<readonly number[]>> {
    await this.page.evaluate(() => {
      const cuts: number[] = [];
      Object.assign(window, { cuts });
      const video = document.querySelector("video")!;
      const look = new OffscreenCanvas(64, 36).getContext("2d", { willReadFrequently: true })!;
      let before: Uint8ClampedArray | undefined;
      const step = (_: number, { captureTime }: VideoFrameCallbackMetadata) => {
        look.drawImage(video, 0, 0, 64, 36);
        const { data } = look.getImageData(0, 0, 64, 36);
        if (before?.some((level, i) => Math.abs(level - data[i]!) > 3)) cuts.push(performance.timeOrigin + (captureTime ?? performance.now()));
        before = data;
        video.requestVideoFrameCallback(step);
      };
      video.requestVideoFrameCallback(step);
    });
    return () => this.page.evaluate(() => (window as unknown as { cuts: number[] }).cuts);
  }
  async close(): Promise<void> {
    await this.browser.close();
  }
}

// The page chooses a phone, lets phones in, and shows a code.
export async function invite(page: Visit["page"]): Promise<{ address: string; code: string }> {
  await page.click('[data-source="phone"]');
  await page.locator("[data-open-house]").or(page.locator(".invite-phone .let-in-code")).waitFor();
  if (await page.locator("[data-open-house]").isVisible()) await page.click("[data-open-house]");
  return codeShown(page);
}
export async function codeShown(page: Visit["page"]): Promise<{ address: string; code: string }> {
  const code = (await page.locator(".invite-phone .let-in-code").textContent({ timeout: 20_000 }))!;
  const about = (await (await fetch(`${new URL(page.url()).origin}/about.json`)).json()) as { addresses: string[] };
  return { address: about.addresses[0]!, code };
}
