import * as z from "zod";
import { ApprovalEntry } from "../verb/approval-entry.ts";
import { BUS_ERRORS } from "../verb/bus-errors.ts";
import { defineVerb } from "../verb/define-verb.ts";
import { MutationEffect, WouldAffect } from "../verb/output-parts.ts";

export const approve = defineVerb({
  name: "approve",
  group: "workers",
  summary: "Approve what a worker asks for.",
  input: z.object({
    approval: z
      .string()
      .optional()
      .describe("Id of the approval or its beginning, or a worker that asks for one thing only.")
      .meta({ positional: 0 }),
    choose: z.string().optional().describe("Option to choose, where there are several."),
    reason: z.string().optional().describe("Why, for the worker and the record."),
  }),
  output: z.object({
    approval_id: z.string(),
    decision: z.literal("approve"),
    approval: ApprovalEntry.describe("What was answered."),
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
