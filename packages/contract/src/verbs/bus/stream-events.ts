import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

/** A line in the format of the published sidecar; the content depends on `type`. */
const Line = z.looseObject({ type: z.string().optional(), topic: z.string().optional() });

export const streamEvents = defineVerb({
  name: "stream-events",
  group: "compatibility",
  summary: "Print the events of the bus line by line, as older sidecars did, or wait for one worker's end.",
  input: z.object({
    wait: z.string().min(1).optional().describe("Wait for the end of the worker with this correlation id."),
    timeoutMs: z.int().min(0).default(600_000).describe("With --wait: give up after this many milliseconds."),
    keepAliveOn: z
      .string()
      .min(1)
      .optional()
      .describe("With --wait: do not give up while this terminal shows signs of life."),
    staleThreshold: z
      .int()
      .min(0)
      .default(120_000)
      .describe("With --keep-alive-on: milliseconds after which a silent terminal counts as dead."),
    rearmCycle: z
      .int()
      .min(1)
      .optional()
      .describe("With --keep-alive-on: milliseconds between two looks at the terminal; by default --timeout-ms."),
  }),
  output: z.object({
    matched: z.boolean(),
    lines: z.array(Line).describe("Empty when the lines were printed one by one."),
    lines_count: Count,
  }),
  stream: Line,
  errors: [...BUS_ERRORS, "TIMEOUT"],
  effect: "read",
  unlimited: true,
  examples: [
    { description: "Everything, from now on", command: "claw stream-events" },
    { description: "Until one worker is done", command: "claw stream-events --wait CORRELATION_ID" },
  ],
});
