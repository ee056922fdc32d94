import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { WorkerRef } from "../../verb/command-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";
import { WAIT_GOALS, WORKER_STATES } from "../../workers/worker-words.ts";
import { COMPLETIONS } from "../../workers/worker-record.ts";

const Waited = z.object({
  peer_id: z.string(),
  name: z.string(),
  state: z.enum(WORKER_STATES),
  completion: z.enum(COMPLETIONS).nullable(),
  reason: z.string(),
});

export const wait = defineVerb({
  name: "wait",
  group: "bus",
  summary: "Wait until workers are done, or until a matching event comes.",
  input: z.object({
    workers: z
      .array(WorkerRef)
      .optional()
      .describe("Ids or names of workers to wait for; without them, wait for an event.")
      .meta({ positional: 0 }),
    for: z
      .enum(WAIT_GOALS)
      .optional()
      .describe("Until all workers are complete and checked (the default), all are verified, or one needs input."),
    topic: z
      .array(z.string())
      .optional()
      .describe("Pattern of topics to wait for; repeatable. Without it, all topics."),
    filter: z
      .array(z.string())
      .optional()
      .describe("Field that the event must have, as in data.result=ok; repeatable.")
      .meta({ whole: true }),
    since: z.string().optional().describe("Begin at this cursor or time instead of now."),
  }),
  output: z.object({
    found: z.literal(true),
    workers: z.array(Waited).describe("Workers that the call waited for; empty when it waited for an event."),
    topic: z
      .string()
      .nullable()
      .describe("Topic of the event; null, like the fields below, when the call waited for workers."),
    from: z.string().nullable(),
    ts_server: z.string().nullable().describe("When the event was stored."),
    sequence: Count.nullable(),
    cursor: z.string().optional(),
    payload: z.unknown(),
  }),
  errors: [...BUS_ERRORS, "INVALID_CURSOR", "WORKER_ABORTED", "WORKER_ENDED", "WORKER_FAILED", "WORKER_NOT_FOUND"],
  effect: "read",
  unlimited: true,
  examples: [
    {
      description: "Until two workers are done and their checks have passed",
      command: "claw wait parser lexer --for verified --timeout-seconds 600",
    },
    {
      description: "Until any worker is done",
      command: "claw wait --topic 'worker.*.complete' --timeout-seconds 600",
    },
  ],
});
