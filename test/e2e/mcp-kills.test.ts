import { expect, test } from "vitest";
import { runKillRounds } from "../reliability/mcp-kill-rounds.ts";
import { chooseSeed } from "../reliability/random.ts";
import { effort } from "./effort.ts";
import { createWorkspace } from "./workspace.ts";

const ROUNDS = 8;

test.each(Array.from({ length: effort(1, 25) }, (_, batch) => batch))(
  "a lead over MCP gets each result once, and loses and repeats no news, however the daemon is killed (%i)",
  async (batch) => {
    const seed = chooseSeed() + batch;
    expect(await runKillRounds(createWorkspace(), seed, ROUNDS), `CLAW_SEED=${seed}`).toEqual([]);
  },
);
