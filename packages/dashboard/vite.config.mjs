import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  // The daemon serves the page below a path that each workspace chooses.
  base: "./",
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: `${import.meta.dirname}/dist`,
    emptyOutDir: true,
    target: "es2022",
    // The policy of the page allows no data in place of a file, and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The page names the schemas of its few commands itself, so the client never loads the library.
    rolldownOptions: { external: ["claw-contract/schemas"] },
  },
});
