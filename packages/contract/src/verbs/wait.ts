import * as z from "zod";
import { BUS_ERRORS } from "../verb/bus-errors.ts";
import { defineVerb } from "../verb/define-verb.ts";
import { Count } from "../verb/output-parts.ts";

export const wait = defineVerb({
  name: "wait",
  group: "bus",
  summary: "Wait until an event comes that fits, and print it.",
  input: z.object({
    topic: z
      .array(z.string())
      .optional()
      .describe("Pattern of topics to wait for; repeatable. Without it, everything."),
    filter: z
      .array(z.string())
      .optional()
      .describe("Field that the event must have, as in data.result=ok; repeatable.")
      .meta({ whole: true }),
    since: z.string().optional().describe("Begin at this cursor or time instead of now."),
  }),
  output: z.object({
    found: z.literal(true),
    topic: z.string(),
    from: z.string(),
    ts_server: z.string().describe("When it was stored."),
    sequence: Count,
    cursor: z.string(),
    payload: z.unknown(),
  }),
  errors: [...BUS_ERRORS, "INVALID_CURSOR"],
  effect: "read",
  examples: [
    {
      description: "Until any worker is done",
      command: "claw wait --topic 'worker.*.complete' --timeout-seconds 600",
    },
  ],
});
