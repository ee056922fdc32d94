import * as z from "zod";
import { ApprovalEntry } from "../../verb/approval-entry.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

export const reject = defineVerb({
  name: "reject",
  group: "workers",
  summary: "Answer a worker's question with no.",
  input: z.object({
    approval: z
      .string()
      .optional()
      .describe("Id of the question, the beginning of its id, or the name of a worker with one open question.")
      .meta({ positional: 0 }),
    reason: z.string().optional().describe("Reason, for the worker and the record."),
  }),
  output: z.object({
    approval_id: z.string(),
    decision: z.literal("reject"),
    approval: ApprovalEntry.describe("The question and its answer."),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: [
    ...BUS_ERRORS,
    "APPROVAL_NOT_FOUND",
    "APPROVAL_ANSWERED",
    "APPROVAL_CHANGED",
    "APPROVAL_EXPIRED",
    "WORKER_ENDED",
    "PUBLISH_NOT_STORED",
  ],
  effect: "write",
  examples: [{ description: "With a reason", command: "claw reject fixer --reason later" }],
});
