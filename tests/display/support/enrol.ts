// A box laid below a camera, and the page that looks at it.
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { until, virtualTable, type Size } from "./evening";

// The folder that such a camera fills: every type once, in any order and turn.
export async function boxBelowACamera(folder: string): Promise<string> {
  const camera = join(folder, "camera");
  await mkdir(camera);
  await virtualTable(["enrol", "--box", "13", "--seed", "5", "--out", join(camera, "1.jpg")]);
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

// A whole box in any order and turn, over so many pictures.
export async function boxLaidOut(folder: string, set: string, looks: number, seed: number, size: Size): Promise<readonly string[]> {
  await virtualTable(["enrol", "--set", set, "--looks", String(looks), "--seed", String(seed), "--out", join(folder, "laid.jpg")], size);
  return Array.from({ length: looks }, (_, i) => join(folder, `laid-${i + 1}.jpg`));
}

type Point = readonly [x: number, y: number];
interface Named {
  readonly number: number;
  readonly tile: string;
  readonly turns: number;
  readonly corners: readonly Point[];
}
const middle = (corners: readonly Point[]): Point => [corners.reduce((sum, [x]) => sum + x, 0) / 4, corners.reduce((sum, [, y]) => sum + y, 0) / 4];
const apart = ([ax, ay]: Point, [bx, by]: Point) => Math.hypot(ax - bx, ay - by);

// The tiles of each look as the program keeps them while a box is enrolled (services/boxes/enrolment_record.h).
async function tilesKept(list: string): Promise<readonly (readonly Named[])[]> {
  const looks = (await readFile(list, "utf8")).split("[[look]]").slice(1);
  return looks.map((look) =>
    [...look.matchAll(/number = (\d+), tile = "(.*?)",(?: turns = (\d),)?.*corners_px = (.*) \},/g)].map(([, number, tile, turns, corners]) => ({
      number: Number(number),
      tile: tile!,
      turns: Number(turns ?? 0),
      corners: JSON.parse(corners!) as Point[],
    })),
  );
}

// What lies where a tile was found.
async function tilesThere(picture: string, found: readonly Named[]): Promise<readonly Named[]> {
  const { tiles } = JSON.parse(await readFile(picture.replace(/jpg$/, "json"), "utf8")) as { tiles: { tile: string; canonical_corners_px: Point[] }[] };
  return found.map(({ number, corners }) => {
    const far = ({ canonical_corners_px }: (typeof tiles)[number]) => apart(middle(canonical_corners_px), middle(corners));
    const lies = tiles.reduce((best, tile) => (far(tile) < far(best) ? tile : best));
    const turn = (k: number) => apart(lies.canonical_corners_px[0]!, corners[k]!);
    return { number, tile: lies.tile, turns: [0, 1, 2, 3].reduce((best, k) => (turn(k) < turn(best) ? k : best)), corners };
  });
}

// Every doubtful name, and every one that is wrong, is put right on the page, as somebody does who has
// the box before them. The program keeps `list`. How many were.
export async function putNamesRight(page: Page, list: string, pictures: readonly string[], touch: (what: Locator) => Promise<void>): Promise<{ readonly doubtful: number; readonly wrong: number; readonly turned: number }> {
  const count = { doubtful: 0, wrong: 0, turned: 0 };
  const card = (number: number) => page.locator(`[data-number="${number}"]`);
  // Each word changes what the program thinks of the others.
  for (;;) {
    const doubtful = new Set(await page.locator("[data-number]:has(.state-doubtful)").evaluateAll((cards) => cards.map((one) => Number(one.getAttribute("data-number")))));
    const kept = await tilesKept(list);
    const there = await Promise.all(kept.map((tiles, look) => tilesThere(pictures[look]!, tiles)));
    const ours = kept.flat();
    const next = there.flat().find(({ number, tile, turns }, i) => doubtful.has(number) || tile !== ours[i]!.tile || turns !== ours[i]!.turns);
    if (!next) return count;
    const { tile, turns } = ours.find(({ number }) => number === next.number)!;
    await touch(card(next.number));
    await page.waitForSelector(".enrol-naming");
    if (tile === next.tile && !doubtful.has(next.number)) {
      count.turned += 1;
      await touch(page.getByRole("button", { name: "Quarter turn" }));
      await until("the turn", async () => (await tilesKept(list)).flat().find(({ number }) => number === next.number)!.turns !== turns);
    } else {
      count[tile === next.tile ? "doubtful" : "wrong"] += 1;
      const name = page.locator(`.enrol-naming [data-name="${next.tile}"]`);
      if ((await name.count()) === 0) await touch(page.getByRole("button", { name: /^Show all/ }));
      await touch(name);
    }
    await page.waitForSelector(`[data-number="${next.number}"][data-named="${next.tile}"] .state-confirmed`);
    await page.waitForSelector(".enrol-naming", { state: "detached" });
  }
}
