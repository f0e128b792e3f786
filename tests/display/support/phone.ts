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

// A picture made tiny; and one that was not there before.
type Look = readonly number[];
export interface Cut {
  readonly at: number;
  readonly look: Look;
}
const LOOK = { width: 48, height: 27 };

// When each shot was first seen, of those that were; the first of `looks` lay there before.
export function whenShown(looks: readonly Look[], cuts: readonly Cut[]): readonly number[] {
  const there: number[] = [];
  const like = (look: Look, i: number) => looks[i]?.reduce((sum, level, k) => sum + Math.abs(level - look[k]!), 0) ?? Infinity;
  for (const { at, look } of cuts) {
    // The next one, if it is not clearly that before, seen again, or one after it.
    const next = there.length + 1;
    const seen = [next, next - 1, next + 1, next + 2].reduce((best, i) => (like(look, i) < like(look, best) / 2 ? i : best));
    while (there.length < seen) there.push(at);
  }
  return there;
}

export async function looksOf(browser: Browser, shots: readonly Shot[]): Promise<readonly Look[]> {
  const sheet = await browser.newPage();
  const looks = [];
  for (const { file } of shots) {
    const jpeg = (await readFile(file)).toString("base64");
    looks.push(
      await sheet.evaluate(
        async ({ jpeg, width, height }) => {
          const image = new Image();
          image.src = `data:image/jpeg;base64,${jpeg}`;
          await image.decode();
          const canvas = new OffscreenCanvas(width, height).getContext("2d")!;
          canvas.drawImage(image, 0, 0, width, height);
          return [...canvas.getImageData(0, 0, width, height).data].filter((_, i) => i % 4 === 1);
        },
        { jpeg, ...LOOK },
      ),
    );
  }
  await sheet.close();
  return looks;
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
  async watchCuts(): Promise<() => Promise<readonly Cut[]>> {
    await this.page.evaluate(
      ({ width, height }) => {
        const cuts: Cut[] = [];
        Object.assign(window, { cuts });
        const video = document.querySelector("video")!;
        const canvas = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
        let before: readonly number[] = [];
        const step = (_: number, { captureTime }: VideoFrameCallbackMetadata) => {
          canvas.drawImage(video, 0, 0, width, height);
          const look = [...canvas.getImageData(0, 0, width, height).data].filter((_, i) => i % 4 === 1); // green
          if (look.some((level, i) => Math.abs(level - (before[i] ?? 0)) > 3)) cuts.push({ at: performance.timeOrigin + (captureTime ?? performance.now()), look });
          before = look;
          video.requestVideoFrameCallback(step);
        };
        video.requestVideoFrameCallback(step);
      },
      LOOK,
    );
    const told: Cut[] = [];
    return async () => {
      told.push(...(await this.page.evaluate(() => (window as unknown as { cuts: Cut[] }).cuts.splice(0))));
      return told;
    };
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
