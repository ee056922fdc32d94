import * as z from "zod";
import { defineVerb } from "../verb/define-verb.ts";
import { Count } from "../verb/output-parts.ts";

const Piece = z.object({
  type: z.literal("output"),
  offset: Count.describe("Position of its first byte since the output began."),
  text: z.string(),
});

export const logs = defineVerb({
  name: "logs",
  group: "workers",
  summary: "Show what a terminal or a worker has printed, also when the daemon is down.",
  input: z.object({
    worker: z.string().describe("Id or name of the worker, or the id of a terminal.").meta({ positional: 0 }),
    follow: z.boolean().default(false).describe("Go on with what is printed from now on.").meta({ short: "f" }),
    raw: z.boolean().default(false).describe("With the sequences that only a terminal understands."),
    sinceOffset: z.int().min(0).optional().describe("Begin at this byte; without it, at the oldest that is kept."),
  }),
  output: z.object({
    terminal_id: z.string().nullable().describe("Null for a worker without a terminal."),
    worker_id: z.string().nullable(),
    text: z.string().describe("Empty when it was printed piece by piece."),
    offset: Count.describe("Position of the first byte that is shown."),
    next_offset: Count.describe("Pass it as --since-offset to go on from here."),
    total_bytes: Count.describe("All that was ever printed."),
    transcript: z
      .object({ path: z.string(), lines: Count, types: z.record(z.string(), Count) })
      .nullable()
      .describe("What the agent's own stream holds; null when there is none."),
  }),
  stream: Piece,
  errors: ["TERMINAL_NOT_FOUND", "FILE_ACCESS_DENIED", "FILESYSTEM_ERROR"],
  effect: "read",
  unlimited: true,
  examples: [
    { description: "Everything that is kept", command: "claw logs 1" },
    { description: "From a position on", command: "claw logs 1 --since-offset 4096" },
  ],
});
