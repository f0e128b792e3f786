// Everything that a phone's page can say, in pictures: upright, lying, light and dark. The browser
// is told to behave like a phone on which that happens; the service is the real one.
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, SIZES, visit } from "../support/browser";
import { bareTable, Evening, laidOut } from "../support/evening";

const folder = process.env["SCREENSHOTS"] ?? "walk";
let browser: Browser;
let evening: Evening;
let work = "";
const pictures: Record<string, string> = {};

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  work = await mkdtemp(join(tmpdir(), "tilewarden-states-"));
  [browser, evening] = await Promise.all([openBrowser(), Evening.begin(), laidOut(join(work, "board.jpg"), 4, 24, 3)]);
  await bareTable(join(work, "bare.jpg"), browser);
  for (const name of ["board", "bare"]) pictures[name] = (await readFile(join(work, `${name}.jpg`))).toString("base64");
  const v = await visit(browser, `${evening.origin}/#/new`, { calm: true });
  await v.page.click('[data-source="phone"]');
  await v.page.waitForSelector(".invite-phone");
  await v.context.close();
}, 120_000);
afterAll(async () => {
  await evening?.end();
  await browser?.close();
  if (work) await rm(work, { recursive: true, force: true });
});

// What the browser answers when it is asked for the camera.
interface Behaves {
  readonly shows?: "board" | "bare";
  // How the picture comes: CSS's filter, and its size in parts of the whole.
  readonly filter?: string;
  readonly scale?: number;
  readonly error?: string;
  readonly muted?: boolean;
  readonly lamp?: boolean;
  readonly battery?: number;
  readonly hidden?: boolean;
  readonly never?: boolean;
}
async function phone(behaves: Behaves, more: (page: Page) => Promise<unknown> = async () => {}): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: SIZES.phone, hasTouch: true, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.addInitScript(
    ({ behaves, picture }) => {
      const film = async () => {
        if (behaves.never) await new Promise(() => {});
        if (behaves.error) throw new DOMException("", behaves.error);
        // The page's policy lets no address of data in.
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))]));
        const canvas = Object.assign(document.createElement("canvas"), { width: 1280, height: 720 });
        const drawn = canvas.getContext("2d")!;
        const draw = () => {
          const scale = behaves.scale ?? 1;
          drawn.filter = behaves.filter ?? "none";
          drawn.fillStyle = "#4a6350";
          drawn.fillRect(0, 0, 1280, 720);
          drawn.drawImage(image, 640 * (1 - scale), 360 * (1 - scale), 1280 * scale, 720 * scale);
        };
        draw();
        setInterval(draw, 66);
        const stream = canvas.captureStream(15);
        const track = stream.getVideoTracks()[0]!;
        if (behaves.muted) Object.defineProperty(track, "muted", { value: true });
        if (behaves.lamp) track.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities;
        return stream;
      };
      Object.defineProperty(navigator, "mediaDevices", { value: behaves.error === "none" ? undefined : { getUserMedia: film } });
      if (behaves.hidden) Object.defineProperty(document, "hidden", { get: () => true });
      if (behaves.battery !== undefined) {
        const battery = Object.assign(new EventTarget(), { level: behaves.battery, charging: false });
        Object.assign(navigator, { getBattery: () => Promise.resolve(battery) });
      }
    },
    { behaves, picture: pictures[behaves.shows ?? "board"]! },
  );
  await more(page);
  await page.goto(`${evening.origin}/#/phone`);
  return { page, close: () => context.close() };
}

async function look(name: string, page: Page): Promise<void> {
  for (const [size, viewport] of Object.entries({ phone: SIZES.phone, lying: { width: 844, height: 390 } })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `state-${name}-${size}-${colorScheme}.png`) });
    }
  }
}

it.each<[string, Behaves, string]>([
  ["starting", { never: true }, '[data-phone="starting"]'],
  ["insecure", { error: "none" }, '[data-phone="insecure"]'],
  ["refused", { error: "NotAllowedError" }, '[data-phone="refused"]'],
  ["no-camera", { error: "NotFoundError" }, '[data-phone="no-camera"]'],
  ["interrupted", { muted: true }, '[data-phone="interrupted"]'],
  ["hidden", { hidden: true }, '[data-phone="hidden"]'],
  ["live", { lamp: true }, '[data-phone="live"] .phone-good'],
  ["no-tiles", { shows: "bare" }, '[data-advice="phone.advice.no-tiles"]'],
  ["too-far", { scale: 0.6 }, '[data-advice="phone.advice.nearer"]'],
  ["cut-off", { scale: 2 }, '[data-advice="phone.advice.farther"]'],
  ["dark-and-empty", { filter: "brightness(0.12)", battery: 0.12, lamp: true }, '[data-advice="phone.advice.light"]'],
  ["blurred", { filter: "blur(7px)" }, '[data-advice="phone.advice.sharper"]'],
])("%s", { timeout: 60_000 }, async (name, behaves, shows) => {
  const { page, close } = await phone(behaves);
  await page.waitForSelector(shows, { timeout: 30_000 });
  await look(name, page);
  await close();
});

it("away", { timeout: 60_000 }, async () => {
  const { page, close } = await phone({}, (page) => page.route("**/tilewarden.v1.CameraService/SendPicture", (route) => route.abort()));
  await page.waitForSelector('[data-phone="away"]');
  await look("away", page);
  await close();
});

it("replaced, by another phone", { timeout: 60_000 }, async () => {
  const first = await phone({});
  await first.page.waitForSelector('[data-phone="live"]');
  const second = await phone({});
  await first.page.waitForSelector('[data-phone="replaced"]');
  await look("replaced", first.page);
  await first.close();
  await second.close();
});

it("dark, after two minutes without a touch", { timeout: 60_000 }, async () => {
  const { page, close } = await phone({}, (page) => page.clock.install());
  await page.waitForSelector('[data-phone="live"]');
  await page.clock.fastForward(121_000);
  await page.waitForSelector(".phone-dark");
  await look("asleep", page);
  await page.locator(".phone-dark").click();
  await page.waitForSelector(".phone-dark", { state: "detached" });
  await close();
});

it("not chosen, where the table has another camera", { timeout: 60_000 }, async () => {
  const { page, close } = await phone({});
  await page.waitForSelector('[data-phone="live"]');
  const v = await visit(browser, `${evening.origin}/#/new`, { calm: true });
  await v.page.getByText("Another camera").click();
  await v.page.getByRole("textbox", { name: /^Another camera/ }).fill(join(work, "board.jpg"));
  await v.page.getByRole("button", { name: "Use this" }).click();
  await page.waitForSelector('[data-phone="not-chosen"]');
  await look("not-chosen", page);
  expect(v.complaints).toEqual([]);
  await v.context.close();
  await close();
});
