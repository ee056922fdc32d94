import type { FleetFile } from "claw-contract";
import { expect, test } from "vitest";
import { fleetSpawn } from "./fleet-spawn.ts";

const FILE = { name: "f", concurrency: 1, defaults: {}, workers: [] } as unknown as FleetFile;

test.each([
  ["tools", "tools"],
  ["../fix.json", "/home/fix.json"],
  ["scenes/fix.json", "/home/me/scenes/fix.json"],
  [undefined, undefined],
])("the scenario %s of a worker is asked for as %s, wherever it works", (scenario, asked) => {
  const worker = { name: "w", mission: "m", needs: [], ...(scenario === undefined ? {} : { scenario }) };
  expect(fleetSpawn(FILE, worker, { cwd: "/home/me", harness: "fake" }).scenario).toBe(asked);
});
