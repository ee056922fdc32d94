import * as z from "zod";
import { ANSWER_ERRORS, AnswerHash, answerOutput, AnswerReason, ApprovalRef } from "../../verb/approval-entry.ts";
import { defineVerb } from "../../verb/define-verb.ts";

export const approve = defineVerb({
  name: "approve",
  group: "workers",
  summary: "Answer a worker's question with yes.",
  input: z.object({
    approval: ApprovalRef,
    choose: z.string().optional().describe("Option to choose, when the question has several."),
    hash: AnswerHash,
    reason: AnswerReason,
  }),
  output: answerOutput("approve"),
  errors: [...ANSWER_ERRORS, "BUDGET_EXCEEDED"],
  effect: "write",
  examples: [{ description: "One of several options", command: "claw approve fixer --choose B" }],
});
