import type { ApprovalRecord, ErrorCode } from "claw-contract";

/** An event on its way into the log that will decide an approval. */
export type Claim =
  | { readonly kind: "answering"; readonly by: string; readonly decision: string }
  | { readonly kind: "expiring" }
  | { readonly kind: "ending" }
  | { readonly kind: "changing"; readonly approvalId: string };

export interface ApprovalRefusal {
  readonly error: string;
  readonly more: { readonly code: ErrorCode } & Readonly<Record<string, unknown>>;
}

const answered = (id: string, by: string, decision: string, more: object = {}): ApprovalRefusal => ({
  error: `${id} was answered already: ${decision} by ${by}`,
  more: { code: "APPROVAL_ANSWERED", details: { by, decision, ...more } },
});

const changed = (id: string, approvalId: string | null): ApprovalRefusal => ({
  error: `${id} is not what is asked any more${approvalId === null ? "" : `; now it is ${approvalId}`}`,
  more: { code: "APPROVAL_CHANGED", details: { changed_to: approvalId } },
});

const expired = (id: string, deadline: string): ApprovalRefusal => ({
  error: `${id} was to be answered by ${deadline}, and was refused then`,
  more: { code: "APPROVAL_EXPIRED", details: { deadline } },
});

const ended = (id: string, peerId: string): ApprovalRefusal => ({
  error: `${peerId}, which asked for ${id}, has ended or was started anew`,
  more: { code: "WORKER_ENDED" },
});

export const approvalNotFound = (id: string): ApprovalRefusal => ({
  error: `nothing was asked as ${id.slice(0, 100)}`,
  more: { code: "APPROVAL_NOT_FOUND" },
});

/** Why an approval cannot be answered now; undefined when it can. */
export function refuseAnswer(
  { opened, outcome }: ApprovalRecord,
  claim: Claim | undefined,
  nowMs: number,
): ApprovalRefusal | undefined {
  const { approvalId: id, peerId, deadline } = opened;
  if (outcome?.kind === "answered") {
    const { by, rule, decision, chosen } = outcome;
    return answered(id, rule === null ? by : `rule ${rule}`, decision, { chosen, rule });
  }
  if (outcome?.reason === "changed") return changed(id, outcome.by);
  if (outcome?.reason === "worker_ended" || claim?.kind === "ending") return ended(id, peerId);
  if (claim?.kind === "answering") return answered(id, claim.by, claim.decision);
  if (claim?.kind === "changing") return changed(id, claim.approvalId);
  const isLate = outcome !== null || claim?.kind === "expiring" || Date.parse(deadline) <= nowMs;
  return isLate ? expired(id, deadline) : undefined;
}
