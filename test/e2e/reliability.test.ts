import { expect, test } from "vitest";
import { runCrashRounds } from "../reliability/crash-rounds.ts";
import { lossesOf } from "../reliability/losses.ts";
import { chooseSeed } from "../reliability/random.ts";
import { createWorkspace } from "./workspace.ts";

test.each(["strict", "relaxed"] as const)(
  "twenty clients of a %s daemon that is killed again and again see one sequence, and nothing acknowledged is missing",
  async (durability) => {
    const { cwd } = createWorkspace();
    const plan = { folder: cwd, seed: chooseSeed(), clients: 20, crashes: 4, eventsPerRound: 10, durability };
    expect(lossesOf(await runCrashRounds(plan), plan), `CLAW_SEED=${plan.seed}`).toEqual([]);
  },
);
