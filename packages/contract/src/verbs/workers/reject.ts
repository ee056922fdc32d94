import * as z from "zod";
import { ANSWER_ERRORS, AnswerHash, answerOutput, AnswerReason, ApprovalRef } from "../../verb/approval-entry.ts";
import { defineVerb } from "../../verb/define-verb.ts";

export const reject = defineVerb({
  name: "reject",
  group: "workers",
  summary: "Answer a worker's question with no.",
  input: z.object({
    approval: ApprovalRef,
    hash: AnswerHash,
    reason: AnswerReason,
  }),
  output: answerOutput("reject"),
  errors: [...ANSWER_ERRORS],
  effect: "write",
  examples: [{ description: "With a reason", command: "claw reject fixer --reason later" }],
});
