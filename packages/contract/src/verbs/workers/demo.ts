import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, NextStep, Timestamp } from "../../verb/output-parts.ts";

export const demo = defineVerb({
  name: "demo",
  group: "start",
  rank: 1,
  summary:
    "Watch a daemon and four agents at work, here and in the browser. Needs no API key and leaves nothing behind.",
  input: z.object({
    headless: z.boolean().default(false).describe("Print lines instead of a screen, and answer questions with yes."),
    once: z.boolean().default(false).describe("End when everything is done, without waiting for a key."),
    noOpen: z.boolean().default(false).describe("Print the link to the page, and open no browser."),
    keep: z.boolean().default(false).describe("Keep the folder and its daemon, to look at them."),
  }),
  output: z.object({
    folder: z.string().nullable().describe("Folder of the demonstration; null when it was removed."),
    workers: z.array(
      z.object({
        name: z.string(),
        peer_id: z.string(),
        state: z.string(),
        completion: z.string().nullable(),
        attempts: Count.describe("How often the worker was started."),
        cost_usd: z.number().describe("Cost that the fake agent reports."),
      }),
    ),
    events_count: Count,
    duration_ms: Count,
    next_steps: z.array(NextStep),
  }),
  stream: z.union([
    z.object({
      type: z.literal("demo"),
      at: z.string().describe("Cursor of the event that the line is about."),
      topic: z.string(),
      worker: z.string().nullable(),
      text: z.string(),
      tone: z.enum(["plain", "good", "bad", "asks"]),
    }),
    z.object({
      type: z.literal("page"),
      url: z.string().describe("Link to the page, with a one-time code for one browser."),
      expires_at: Timestamp.describe("When the link ends."),
    }),
  ]),
  errors: [
    "BUS_INCOMPATIBLE",
    "BUS_REFUSED",
    "BUS_UNREACHABLE",
    "PROTOCOL_MISMATCH",
    "DAEMON_FAILED",
    "WORKER_FAILED",
    "WORKTREE_FAILED",
  ],
  effect: "read",
  unixOnly: true,
  examples: [{ description: "For a script", command: "claw demo --headless --once" }],
});
