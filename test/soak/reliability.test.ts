import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCrashRounds } from "../reliability/crash-rounds.ts";
import { lossesOf } from "../reliability/losses.ts";

test("twenty clients of a daemon that is killed fifty times see one sequence, and nothing acknowledged is missing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "claw-soak-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const plan = { folder, clients: 20, rounds: 50, eventsPerRound: 40, killWithinMs: 400 };
  expect(lossesOf(await runCrashRounds(plan), plan)).toEqual([]);
});
