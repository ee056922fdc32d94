import { defineConfig } from "vitest/config";

/** Ends a test that hangs; no test passes or fails by its speed, however busy the machine is. */
const HANG_MS = 120_000;

/** Takes minutes, so it runs only when asked for. */
const SOAK = {
  test: { name: "soak", include: ["test/soak/*.test.ts"], testTimeout: 30 * 60_000 },
};

/** Drives the agents' own CLIs, which have to be installed for it. */
const REAL = {
  test: { name: "real", include: ["test/real/*.test.ts"], testTimeout: 5 * 60_000, maxWorkers: 2 },
};

/** Unit tests sit beside the code; `test/` holds what concerns the whole tree and the built binary. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
          testTimeout: HANG_MS,
        },
      },
      {
        test: {
          name: "repository",
          include: ["test/*.test.ts", "test/model-server/*.test.ts", "test/tasks/**/*.test.ts"],
          testTimeout: HANG_MS,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
        },
      },
      ...(process.env["CLAW_SOAK"] === undefined ? [] : [SOAK]),
      ...(process.env["CLAW_REAL_WORK"] === undefined ? [] : [REAL]),
    ],
    maxWorkers: 2,
  },
});
