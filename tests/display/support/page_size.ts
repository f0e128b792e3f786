// What a first visit loads: the page with every view but those that few devices ever show or that are
// fetched when somebody wants them (offline.js says which); and the longest of the languages that are not built in (a visitor reads one).
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { languages } from "../../../services/display/src/texts/texts";
import { page as pageFolder } from "./services";

export interface FileSize {
  readonly file: string;
  // Compressed.
  readonly bytes: number;
}

export async function firstVisit(): Promise<{ files: readonly FileSize[]; bytes: number }> {
  const assets = await readdir(join(pageFolder, "assets"));
  const files = await Promise.all(
    ["index.html", ...assets.filter((file) => !/^(calibrate|enrol|hall|overlay|phone|picture_worker|player_list|story)-/.test(file)).map((file) => `assets/${file}`)].map(async (file) => ({
      file,
      bytes: gzipSync(await readFile(join(pageFolder, file))).length,
    })),
  );
  const isLanguage = ({ file }: FileSize) => languages.some((language) => file.startsWith(`assets/${language}-`));
  const longest = Math.max(0, ...files.filter(isLanguage).map(({ bytes }) => bytes));
  return { files, bytes: files.filter((file) => !isLanguage(file)).reduce((sum, { bytes }) => sum + bytes, longest) };
}
