import * as z from "zod";
import { ApprovalEntry } from "../../verb/approval-entry.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

export const approve = defineVerb({
  name: "approve",
  group: "workers",
  summary: "Answer a worker's question with yes.",
  input: z.object({
    approval: z
      .string()
      .optional()
      .describe("Id of the question, the beginning of its id, or the name of a worker with one open question.")
      .meta({ positional: 0 }),
    choose: z.string().optional().describe("Option to choose, when the question has several."),
    reason: z.string().optional().describe("Reason, for the worker and the record."),
  }),
  output: z.object({
    approval_id: z.string(),
    decision: z.literal("approve"),
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
    "BUDGET_EXCEEDED",
    "PUBLISH_NOT_STORED",
  ],
  effect: "write",
  examples: [{ description: "One of several options", command: "claw approve fixer --choose B" }],
});
