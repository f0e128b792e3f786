// What axe-core finds that keeps people out of a page.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// The rules that the page breaks as it is now, each with where; empty: none.
export async function barriers(page: Page): Promise<string[]> {
  // Not as a script of the page: its content policy would rightly refuse it.
  await page.evaluate(await axe);
  return (await page.evaluate(`axe.run().then((r) => r.violations.map((v) =>
    v.id + ": " + v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")))`)) as string[];
}
