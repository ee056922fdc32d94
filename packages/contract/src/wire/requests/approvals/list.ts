import * as z from "zod";
import { ANY_PEER, defineRequest, looseOr } from "../../define-request.ts";
import { ApprovalView } from "../../../approvals/approval-view.ts";

export const listApprovalsRequest = defineRequest({
  name: "approval.list",
  summary: "Lists the open approvals.",
  from: ANY_PEER,
  effect: "guarded read",
  request: z.object({ all: looseOr(z.boolean(), false).describe("Whether closed approvals are listed too.") }),
  reply: z.object({
    approvals: z.array(ApprovalView).describe("Oldest first. Beyond a size limit, subjects are left out."),
  }),
});
