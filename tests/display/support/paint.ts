// How long the page takes from an event's arrival to the frame that shows it.
import type { Page } from "playwright-core";

// Of the page's window: when it last heard something from the service.
export interface Hears {
  heard: number;
}
// By the clock of Date, which is the machine's, to parts of a millisecond.
export const watchHearing = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const read = ReadableStreamDefaultReader.prototype.read;
    ReadableStreamDefaultReader.prototype.read = async function (this: ReadableStreamDefaultReader) {
      const chunk = await read.call(this);
      (window as unknown as Hears).heard = performance.timeOrigin + performance.now();
      return chunk;
    } as typeof read;
  });

// Begins to take the time of every change of the board; `timesOf` tells.
export async function watchPaints(page: Page): Promise<void> {
  await watchHearing(page);
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    new MutationObserver((changes) => {
      if (!changes.some((c) => [...c.addedNodes].some((n) => n instanceof Element && n.matches(".tile[data-cell]")))) return;
      const from = (window as unknown as Hears).heard;
      requestAnimationFrame(() => setTimeout(() => times.push(performance.timeOrigin + performance.now() - from)));
    }).observe(document.querySelector(".world")!, { childList: true, subtree: true });
  });
}

// Milliseconds, ascending.
export const timesOf = async (page: Page): Promise<number[]> =>
  ((await page.evaluate("times")) as number[]).sort((a, b) => a - b);

export const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
