import type { VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Ports } from "../../../verbs/index.ts";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";

type Approval = VerbOutput<"approvals">["approvals"][number];

/** Questions in one answer. */
const MAX_APPROVALS = 30;

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

export const approvalsTool: ToolHandler<"claws_approvals"> = async ({ worker }, { ports }) => {
  const { data } = await callVerb("approvals", {}, ports);
  const fitting = data.approvals.filter(
    ({ peer_id: id, worker: name }) => worker === undefined || worker === id || worker === name,
  );
  return { data: { approvals: fitting.slice(0, MAX_APPROVALS).map(approvalRow) } };
};

/** The question is still the one that the caller has read. Throws APPROVAL_NOT_FOUND and APPROVAL_CHANGED. */
async function requireUnchanged(approval: string, hash: string, ports: Ports): Promise<void> {
  const { data } = await callVerb("approvals", { all: true }, ports);
  const asked = data.approvals.find(({ approval_id: id }) => id === approval);
  const about = { operation: "answer_approval", target: approval };
  if (asked === undefined) throw new ClawError("APPROVAL_NOT_FOUND", `no question has the id ${approval}`, about);
  if (asked.hash === hash) return;
  throw new ClawError("APPROVAL_CHANGED", "the question is not the one that was read", {
    ...about,
    hint: "Read it again with claws_approvals, and answer with its hash.",
  });
}

export const answerTool: ToolHandler<"claws_answer"> = async (input, { ports }) => {
  const { approval, decision, hash, choice: choose, reason } = input;
  await requireUnchanged(approval, hash, ports);
  const { data } =
    decision === "approve"
      ? await callVerb("approve", { approval, choose, reason }, ports)
      : await callVerb("reject", { approval, reason }, ports);
  return { data: { approval: data.approval_id, decision: data.decision, effect: data.effect } };
};
