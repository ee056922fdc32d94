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
  offset: Count.describe("Position in the source: a byte offset, or the sequence of an event."),
  text: z.string(),
  kind: z.enum(LOG_KINDS).optional().describe("Kind of the entry in a worker's log; absent for output of a terminal."),
});

export const logs = defineVerb({
  name: "logs",
  group: "workers",
  summary: "Show what a worker did, or what a terminal printed. Works without the daemon too.",
  input: z.object({
    worker: z.string().describe("Id or name of the worker, or the id of a terminal.").meta({ positional: 0 }),
    follow: z
      .boolean()
      .default(false)
      .describe("Continue with new output, until the worker or terminal ends.")
      .meta({ short: "f" }),
    raw: z.boolean().default(false).describe("Print the raw bytes: a terminal's output, or the agent's own stream."),
    sinceOffset: z.int().min(0).optional().describe("Begin at this position; by default at the oldest output."),
  }),
  output: z.object({
    terminal_id: z.string().nullable().describe("Null for a worker without a terminal."),
    worker_id: z.string().nullable(),
    text: z.string().describe("Empty when the output was printed piece by piece."),
    offset: Count.describe("Position where the shown output begins."),
    next_offset: Count.describe("Pass it as --since-offset to continue from here."),
    total_bytes: Count.describe("Position up to which the output was read."),
    state: z.string().nullable().describe("State of the worker; null for a terminal, and while no daemon runs."),
    reason: z.string().nullable().describe("Reason of that state."),
    transcript: z
      .object({ path: z.string(), lines: Count, types: z.record(z.string(), Count) })
      .nullable()
      .describe("File of the agent's own stream, with its lines counted by type; null when there is none."),
    process_log: z.string().nullable().describe("Log file of the worker's own process."),
  }),
  stream: Piece,
  errors: [...BUS_ERRORS, "TERMINAL_NOT_FOUND", "FILE_ACCESS_DENIED", "FILESYSTEM_ERROR"],
  effect: "read",
  unlimited: true,
  examples: [
    { description: "Follow a worker until it ends", command: "claw logs --follow fixer" },
    { description: "All output of a terminal that is kept", command: "claw logs 1" },
    { description: "From a position on", command: "claw logs 1 --since-offset 4096" },
  ],
});
