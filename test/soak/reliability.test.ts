import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { runCrashRounds } from "../reliability/crash-rounds.ts";
import { lossesOf } from "../reliability/losses.ts";
import { chooseSeed } from "../reliability/random.ts";

test.each(["strict", "relaxed"] as const)(
  "twenty clients of a %s daemon that is killed fifty times see one sequence, and nothing acknowledged is missing",
  async (durability) => {
    const folder = temporaryFolder(onTestFinished);
    const plan = { folder, seed: chooseSeed(), clients: 20, crashes: 50, eventsPerRound: 40, durability };
    expect(lossesOf(await runCrashRounds(plan), plan), `CLAW_SEED=${plan.seed}`).toEqual([]);
  },
);
