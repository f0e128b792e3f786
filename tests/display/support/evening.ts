// Everything in one process, as people start it, and a table below its camera: a folder into which
// pictures are put one after another, as a camera takes them.
import { createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Locator, Page } from "playwright-core";
import { CameraService } from "../../../services/display/src/gen/tilewarden/v1/camera_pb";
import { VisionService } from "../../../services/display/src/gen/tilewarden/v1/vision_pb";
import { gameClient, type GameClient } from "./players";
import { page, program, start, type Running } from "./services";
import type { Truth } from "./truth";

const CLOCK_TICKS_PER_S = 100; // of Linux

export class Evening {
  private constructor(
    readonly folder: string,
    private running: Running,
  ) {}

  // `tilewarden`, the bare word, with a data folder of its own and ports that are free.
  static async begin(): Promise<Evening> {
    const folder = await mkdtemp(join(tmpdir(), "tilewarden-evening-"));
    const settings = { listen: "127.0.0.1:0", "page-listen": "127.0.0.1:0", "house-listen": "0.0.0.0:0" };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = "${value}"\n`);
    await writeFile(join(folder, "tilewarden.toml"), `[up]\n${lines.join("")}`);
    return new Evening(folder, await Evening.word(folder));
  }
  get origin(): string {
    return this.running.greeting.replace(/\/$/, "");
  }
  get client(): GameClient {
    return gameClient(this.origin);
  }
  get alive(): boolean {
    return this.running.alive;
  }
  // The camera's pictures that were looked at in the game under way.
  async framesRead(): Promise<number> {
    const vision = createClient(VisionService, createGrpcWebTransport({ baseUrl: this.origin }));
    return Number((await vision.getVisionStatus({})).framesRead);
  }
  // What the camera sees now: JPEG.
  async seen(): Promise<string> {
    const camera = createClient(CameraService, createGrpcWebTransport({ baseUrl: this.origin }));
    return Buffer.from((await camera.getTableView({})).jpeg).toString("base64");
  }
  // Of the program: what it holds in memory, and how long it has used a core.
  async residentKiB(): Promise<number> {
    const status = await readFile(`/proc/${this.running.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]);
  }
  async processorSeconds(): Promise<number> {
    const stat = await readFile(`/proc/${this.running.pid}/stat`, "utf8");
    const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
    return (Number(user) + Number(system)) / CLOCK_TICKS_PER_S;
  }
  async startAgain(): Promise<void> {
    await this.running.stop();
    this.running = await Evening.word(this.folder);
  }
  async end(): Promise<void> {
    await this.running.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private static word(folder: string): Promise<Running> {
    // The test brings its own browser: without a desktop none is opened.
    const { DISPLAY: _, WAYLAND_DISPLAY: __, ...environment } = process.env;
    return start([], /^page on (\S+)/, {
      ...environment,
      TILEWARDEN_CONFIG: join(folder, "tilewarden.toml"),
      TILEWARDEN_PAGE: page,
      XDG_DATA_HOME: folder,
    });
  }
}

// The camera's picture of the table, again and again.
const EVERY_MS = 500;
const KEPT = 8;

export class TableCamera {
  private number = 0;
  private shown = "";
  private playing = false;
  private held: Promise<unknown> = Promise.resolve();
  private readonly timer: ReturnType<typeof setInterval>;

  private constructor(readonly folder: string) {
    this.timer = setInterval(() => void (this.playing || this.take()), EVERY_MS);
  }
  static async over(folder: string): Promise<TableCamera> {
    await mkdir(folder, { recursive: true });
    return new TableCamera(folder);
  }
  // What lies there from now on.
  show(picture: string): void {
    this.shown = picture;
  }
  // The table at rest for two looks of the program, a hand for one, however slow the machine is: the
  // next picture is taken when the last was read. At the end the last one stays.
  async play(pictures: PlayedGame["pictures"], evening: Evening): Promise<void> {
    const pause = () => new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    this.playing = true;
    await pause();
    for (const { file, tiles } of pictures) {
      this.show(file);
      for (let look = 0; look < (tiles > 0 ? 2 : 1); ++look) {
        await this.held;
        const before = await evening.framesRead();
        await Promise.all([this.take(), pause()]);
        await until(`a look at ${file}`, async () => (await evening.framesRead()) > before, 60, EVERY_MS / 10);
      }
    }
    this.playing = false;
  }
  // The table stays as it lies while this is done.
  hold(work: () => Promise<void>): Promise<void> {
    const done = work();
    this.held = done.catch(() => undefined);
    return done;
  }
  stop(): void {
    clearInterval(this.timer);
  }

  private async take(): Promise<void> {
    if (this.shown === "") return;
    const name = (n: number) => join(this.folder, `${String(n).padStart(6, "0")}.jpg`);
    const n = ++this.number;
    // Seen whole or not at all.
    await copyFile(this.shown, `${name(n)}.part`);
    await rename(`${name(n)}.part`, name(n));
    if (n > KEPT) await unlink(name(n - KEPT)).catch(() => {});
  }
}

// A game that the virtual table played: its pictures in order, the settled ones and those of hands.
export interface PlayedGame {
  // `tiles`: so many lie there, at least one; 0 while a hand is in view.
  readonly pictures: readonly { readonly file: string; readonly tiles: number }[];
  readonly truth: Truth;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}
const USUAL: Size = { width: 1280, height: 720 };
export const virtualTable = (args: readonly string[], size = USUAL) => promisify(execFile)(join(dirname(program), "tilewarden-virtual-table"), [...args, "--width", String(size.width), "--height", String(size.height)]);

// `game`: of any box and by any rules, which `more` names.
export async function playedGame(folder: string, seed: number, turns: number, players: number, more: readonly string[] = [], size?: Size, how: "sequence" | "game" = "sequence"): Promise<PlayedGame> {
  await virtualTable([how, ...more, "--out", folder, "--seed", String(seed), "--turns", String(turns), "--players", String(players), "--table", "plain-cloth"], size);
  return readGame(folder);
}
// One that was rendered before.
export async function readGame(folder: string): Promise<PlayedGame> {
  const truth = JSON.parse(await readFile(join(folder, "truth.json"), "utf8")) as Truth;
  return { pictures: truth.timeline.map(({ file, settled, tiles }) => ({ file: join(folder, file), tiles: settled ? (tiles?.length ?? 1) : 0 })), truth };
}

// Until so many turns were played.
export function picturesOf({ pictures }: PlayedGame, turns: number): PlayedGame["pictures"] {
  const last = pictures.findLastIndex(({ tiles }) => tiles === turns + 1);
  return pictures.slice(0, last + 1);
}

// A board in mid-game, with figures: what people lay out to show their box.
export async function laidOut(file: string, seed: number, turns: number, players: number, size?: Size, set = "base.c1"): Promise<void> {
  await virtualTable(["still", "--set", set, "--out", file, "--seed", String(seed), "--turns", String(turns), "--players", String(players), "--table", "plain-cloth"], size);
}

// The bare table: cloth.
export async function bareTable(file: string, browser: Browser, size = USUAL): Promise<void> {
  const sheet = await browser.newPage({ viewport: size });
  await sheet.setContent('<body style="margin:0;background:radial-gradient(#4f6d54,#41594a)"></body>');
  await sheet.screenshot({ path: file, type: "jpeg" });
  await sheet.close();
}

// The camera knows the colours; people say in which order they sit.
export async function seat(page: Page, { truth }: PlayedGame, players: number, touch = (what: Locator): Promise<void> => what.click()): Promise<void> {
  await page.waitForFunction((n) => document.querySelectorAll("[data-seat]").length === n, players);
  for (const [i, colour] of truth.colours.slice(0, players).entries()) {
    const seats = () => page.locator("[data-seat]").evaluateAll((all) => all.map((one) => one.getAttribute("data-seat")));
    while ((await seats()).indexOf(colour) > i) await touch(page.locator(`[data-seat="${colour}"] .icon-button`).first());
  }
}

export async function until(what: string, holds: () => Promise<boolean>, seconds = 60, every_ms = 250): Promise<void> {
  for (const end = Date.now() + 1_000 * seconds; Date.now() < end; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, every_ms));
  }
  throw new Error(`not in time: ${what}`);
}
