import * as z from "zod";
import { APPROVAL_DECISIONS } from "../../../events/families/supervision.ts";
import { defineRequest, loose, refusedAs, Word } from "../../define-request.ts";
import { ApprovalView } from "../../../approvals/approval-view.ts";

export const answerApprovalRequest = defineRequest({
  name: "approval.answer",
  summary: "Answers an approval. The first valid answer counts; the same peer may give the same answer again.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "approval", field: "approvalId" },
  request: z.object({
    approvalId: refusedAs(Word, "approvalId required"),
    decision: refusedAs(z.enum(APPROVAL_DECISIONS), "decision has to be approve or reject"),
    chosen: loose(Word).describe("Id of the option that is chosen."),
    hash: loose(Word).describe("Hash of the question that was shown. An answer to another question is refused."),
    reason: loose(Word).describe("Why; the worker is told."),
  }),
  reply: z.object({
    approval: ApprovalView,
    duplicate: z.boolean().describe("Whether this peer had given the same answer before."),
  }),
});
