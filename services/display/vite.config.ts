import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";

const tests = fileURLToPath(new URL("../../tests/display", import.meta.url));

// What the page may do. The gateway sends the same as a header; in the page it
// also holds when the page is served by something else.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function contentPolicy(): Plugin {
  return {
    name: "content-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
        injectTo: "head-prepend",
      },
    ],
  };
}

// Tells the build which sources went into the page, in the form that Ninja reads.
function dependencyList(): Plugin {
  const { PAGE_DEPENDENCIES: list, PAGE_STAMP: stamp } = process.env;
  return {
    name: "dependency-list",
    apply: "build",
    async writeBundle() {
      if (!list || !stamp) return;
      const files = this.getWatchFiles().filter((file) => file.startsWith("/") && !file.includes("node_modules"));
      await writeFile(list, `${stamp}: ${files.map((file) => file.replace(/ /g, "\\ ")).join(" ")}\n`);
    },
  };
}

// A language has the keys of the English file. In the built page it is therefore a list of texts in
// the order of that file, which is built in: a third of it need not be sent.
function textsWithoutKeys(): Plugin {
  const folder = fileURLToPath(new URL("src/texts/", import.meta.url));
  const read = async (file: string) => JSON.parse(await readFile(file, "utf8")) as Record<string, string>;
  return {
    name: "texts-without-keys",
    apply: "build",
    // After Vite has made a module of the file.
    enforce: "post",
    async transform(_, id) {
      if (!id.startsWith(folder) || !id.endsWith(".json") || id.endsWith("/en.json")) return undefined;
      const [english, table] = [await read(`${folder}en.json`), await read(id)];
      const texts = Object.keys(english).map((key) => table[key] ?? null);
      const more = Object.fromEntries(Object.entries(table).filter(([key]) => !(key in english)));
      return {
        code: `import english from "./en.json";
const texts = ${JSON.stringify(texts)};
export default Object.assign(Object.fromEntries(Object.keys(english).map((key, i) => [key, texts[i]])), ${JSON.stringify(more)});`,
        map: null,
      };
    },
  };
}

function project(name: string, timeout_ms: number) {
  return {
    extends: true as const,
    test: {
      name,
      dir: `${tests}/${name}`,
      include: ["**/*.test.ts"],
      testTimeout: timeout_ms,
      hookTimeout: timeout_ms,
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [contentPolicy(), dependencyList(), textsWithoutKeys()],
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { fs: { allow: [tests, "."] } },
  test: {
    fileParallelism: false,
    // Its entry for Node has no names that a module could import.
    server: { deps: { inline: ["gifenc"] } },
    projects: [
      project("unit", 5_000),
      project("services", 45_000),
      project("screenshots", 1_800_000),
      project("measure", 240_000),
      project("walk", 900_000),
    ],
  },
});
