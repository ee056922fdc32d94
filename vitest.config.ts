import { defineConfig } from "vitest/config";

/** Unit tests sit beside the code; `test/` holds what concerns the whole tree and the built binary. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "repository",
          include: ["test/*.test.ts"],
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
    maxWorkers: 2,
  },
});
