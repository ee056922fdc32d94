import type { VerbOutput } from "claw-contract";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";
import { pageAfter } from "./page-after.ts";

type Approval = VerbOutput<"approvals">["approvals"][number];

/** Questions in one answer; the rest follows behind the cursor. */
const PAGE = 30;

/** A question as a lead needs it. */
export function approvalRow(approval: Approval) {
  const { approval_id: id, worker, peer_id, kind, message, subject, options, deadline, hash } = approval;
  const { cut, masked } = approval;
  return {
    id,
    worker,
    peer_id,
    kind,
    message,
    subject,
    options,
    deadline,
    hash,
    ...(cut ? { cut } : {}),
    ...(masked ? { masked } : {}),
  };
}

export const handleApprovals: ToolHandler<"claws_approvals"> = async ({ worker, cursor }, { ports }) => {
  const { data } = await callVerb("approvals", { worker }, ports);
  const { items, next } = pageAfter(data.approvals, cursor, { size: PAGE, idOf: ({ approval_id: id }) => id });
  return { data: { approvals: items.map(approvalRow), ...(next === undefined ? {} : { cursor: next }) } };
};

export const handleAnswer: ToolHandler<"claws_answer"> = async (input, { ports }) => {
  const { approval, decision, hash, choice: choose, reason } = input;
  const { data } =
    decision === "approve"
      ? await callVerb("approve", { approval, hash, choose, reason }, ports)
      : await callVerb("reject", { approval, hash, reason }, ports);
  return { data: { approval: data.approval_id, decision: data.decision, effect: data.effect } };
};
