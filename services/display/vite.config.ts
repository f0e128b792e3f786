import { writeFile } from "node:fs/promises";
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
  plugins: [contentPolicy(), dependencyList()],
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
