// Debian's Chromium, driven by playwright-core.
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import type { XY } from "../../../services/display/src/model/grid";

export const SIZES = {
  tablet: { width: 1280, height: 800 },
  upright: { width: 800, height: 1280 },
  phone: { width: 390, height: 844 },
  wall: { width: 1920, height: 1080 },
} as const;
export type SizeName = keyof typeof SIZES;

// What a browser needs to come to a gateway that is at 127.0.0.1 as `name`, as a
// tablet in the network does, after somebody compared the certificate's fingerprint.
export const fromTheNetwork = (name: string): readonly string[] => [`--host-resolver-rules=MAP ${name} 127.0.0.1`, "--ignore-certificate-errors"];

export const openBrowser = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  // What the page complained about: script errors, refused content, failed loads.
  readonly complaints: string[];
  // Requests to any other origin than the page's own.
  readonly strangers: string[];
}

export interface Looks {
  readonly size?: SizeName;
  readonly theme?: "light" | "dark";
  readonly language?: string;
  readonly touch?: boolean;
  // Nothing glides or glows: what is shown comes to rest at once.
  readonly calm?: boolean;
  // Without the page's own shelf: what passes its service worker cannot be held up by a test.
  readonly shelf?: boolean;
}

export async function visit(browser: Browser, address: string, looks: Looks = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: SIZES[looks.size ?? "tablet"],
    colorScheme: looks.theme ?? "light",
    locale: looks.language ?? "en",
    hasTouch: looks.touch ?? false,
    reducedMotion: looks.calm ? "reduce" : "no-preference",
    serviceWorkers: looks.shelf === false ? "block" : "allow",
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  const { origin } = new URL(address);
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== "data:" && url.protocol !== "blob:") strangers.push(request.url());
  });
  await page.goto(address);
  return { context, page, complaints, strangers };
}

// Until the board holds this many tiles and has come to rest.
export async function boardHolds(page: Page, tiles: number): Promise<void> {
  await page.waitForFunction((n) => document.querySelectorAll(".world > g .tile[data-cell]").length === n, tiles);
}
export const atRest = (page: Page): Promise<void> => page.waitForTimeout(700);

// Touches a point of a cell on the board, as a finger would: once the board lies still.
export async function touchBoard(page: Page, cell: XY, point: XY): Promise<void> {
  const lies = () =>
    page.evaluate(() => {
      const m = document.querySelector<SVGSVGElement>(".world")!.getScreenCTM()!;
      return [m.a, m.d, m.e, m.f].join();
    });
  for (let before = "", now = await lies(); now !== before; ) {
    await page.waitForTimeout(100);
    [before, now] = [now, await lies()];
  }
  const at = await page.evaluate(
    ({ x, y }) => {
      const m = document.querySelector<SVGSVGElement>(".world")!.getScreenCTM()!;
      return { x: m.a * x + m.e, y: m.d * y + m.f };
    },
    { x: (cell.x + point.x) * 100, y: (cell.y + point.y) * 100 },
  );
  await page.mouse.click(at.x, at.y);
}

// The mean colour of a cell of the board as it is painted.
export async function cellColour(page: Page, { x, y }: XY): Promise<readonly number[]> {
  const box = (await page.locator(`.world [data-cell="${x},${y}"]`).first().boundingBox())!;
  const png = await page.screenshot({ clip: { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4 } });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(1, 1).getContext("2d")!;
    context.drawImage(image, 0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  }, png.toString("base64"));
}
