import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const LOG_KINDS = [
  "start",
  "prompt",
  "text",
  "tool",
  "result",
  "question",
  "answer",
  "note",
  "error",
  "end",
] as const;

const Piece = z.object({
  type: z.literal("output"),
  offset: Count.describe("Position of what it was made from: a byte, or the sequence of an event."),
  text: z.string(),
  kind: z.enum(LOG_KINDS).optional().describe("What of a worker's work it tells; absent for output of a terminal."),
});

export const logs = defineVerb({
  name: "logs",
  group: "workers",
  summary: "Show what a worker did, or what a terminal has printed, also when the daemon is down.",
  input: z.object({
    worker: z.string().describe("Id or name of the worker, or the id of a terminal.").meta({ positional: 0 }),
    follow: z
      .boolean()
      .default(false)
      .describe("Go on with what happens from now on, until its end.")
      .meta({ short: "f" }),
    raw: z.boolean().default(false).describe("The bytes as they are: a terminal's output, or the agent's own stream."),
    sinceOffset: z.int().min(0).optional().describe("Begin at this position; without it, at the oldest that is kept."),
  }),
  output: z.object({
    terminal_id: z.string().nullable().describe("Null for a worker without a terminal."),
    worker_id: z.string().nullable(),
    text: z.string().describe("Empty when it was printed piece by piece."),
    offset: Count.describe("Position of the first that is shown."),
    next_offset: Count.describe("Pass it as --since-offset to go on from here."),
    total_bytes: Count.describe("Position of the end, as far as it was read."),
    state: z.string().nullable().describe("State of the worker; null for a terminal, and while no daemon runs."),
    reason: z.string().nullable().describe("Why it is said to be in that state."),
    transcript: z
      .object({ path: z.string(), lines: Count, types: z.record(z.string(), Count) })
      .nullable()
      .describe("What the agent's own stream holds; null when there is none."),
    process_log: z.string().nullable().describe("File with what the worker's own process had to say."),
  }),
  stream: Piece,
  errors: [...BUS_ERRORS, "TERMINAL_NOT_FOUND", "FILE_ACCESS_DENIED", "FILESYSTEM_ERROR"],
  effect: "read",
  unlimited: true,
  examples: [
    { description: "What a worker does, until it ends", command: "claw logs --follow fixer" },
    { description: "Everything that is kept of a terminal", command: "claw logs 1" },
    { description: "From a position on", command: "claw logs 1 --since-offset 4096" },
  ],
});
