import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, NextStep } from "../../verb/output-parts.ts";

export const demo = defineVerb({
  name: "demo",
  group: "start",
  rank: 1,
  summary: "Watch a daemon and four agents at work, without a key; nothing is left behind.",
  input: z.object({
    headless: z.boolean().default(false).describe("Print lines instead of a screen, and answer questions with yes."),
    once: z.boolean().default(false).describe("End when everything is done, without waiting for a key."),
    keep: z.boolean().default(false).describe("Keep the folder and its daemon, to look into them."),
  }),
  output: z.object({
    folder: z.string().nullable().describe("Where everything is; null when it was taken away."),
    workers: z.array(
      z.object({
        name: z.string(),
        peer_id: z.string(),
        state: z.string(),
        completion: z.string().nullable(),
        attempts: Count.describe("How often it was started."),
        cost_usd: z.number().describe("What it would have cost."),
      }),
    ),
    events_count: Count,
    duration_ms: Count,
    next_steps: z.array(NextStep),
  }),
  stream: z.object({
    type: z.literal("demo"),
    at: z.string().describe("Cursor of the event it is about."),
    topic: z.string(),
    worker: z.string().nullable(),
    text: z.string(),
    tone: z.enum(["plain", "good", "bad", "asks"]),
  }),
  errors: ["BUS_INCOMPATIBLE", "BUS_REFUSED", "BUS_UNREACHABLE", "DAEMON_FAILED", "WORKER_FAILED", "WORKTREE_FAILED"],
  effect: "read",
  examples: [{ description: "For a script", command: "claw demo --headless --once" }],
});
