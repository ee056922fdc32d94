import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { LOG_KINDS } from "../../../verbs/workers/logs.ts";
import { defineRequest } from "../../define-request.ts";
import { workerName } from "./worker-parts.ts";

const Position = z.int().nonnegative();

/** A message, thought, tool call or result of a worker's agent. */
export const TranscriptItem = z.object({
  position: Position.describe("Place of the item in the transcript."),
  kind: z.enum(LOG_KINDS),
  text: z.string().describe("Text for people, without escape sequences."),
  call: z.string().optional().describe("Joins a tool's call with its result."),
  agent: z.string().optional().describe("The call of the sub-agent that did it; absent for the agent itself."),
  cut: z.boolean().optional().describe("Whether the text was too long to be shown whole."),
});
export type TranscriptItem = z.infer<typeof TranscriptItem>;

export const workerTranscriptRequest = defineRequest({
  name: "worker.transcript",
  summary: "Shows a part of what a worker's agent said and did; by default the newest part.",
  from: ["orchestrator", "observer"],
  effect: "guarded read",
  routedBy: { names: "peer", field: "worker" },
  request: z.object({
    worker: workerName("Id or name of the worker."),
    before: Position.optional().describe("Shows the items before this position."),
    after: Position.optional().describe("Shows the items from this position on. Not together with `before`."),
    limit: z
      .int()
      .min(1)
      .max(LIMITS.transcriptItemsMost)
      .optional()
      .describe(`Most items; ${LIMITS.transcriptItems} by default.`),
  }),
  reply: z.object({
    peerId: z.string(),
    name: z.string(),
    source: z
      .enum(["transcript", "none"])
      .describe("`none` for an agent in a terminal, and for a worker that another program started."),
    items: z.array(TranscriptItem).describe("Oldest first."),
    first: Position.describe("Pass it as `before` to get older items."),
    next: Position.describe("Pass it as `after` to get newer items."),
    hasOlder: z.boolean(),
    hasNewer: z.boolean(),
    bytes: Position.describe("Size of the transcript."),
  }),
});
