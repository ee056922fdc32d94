import type { ApprovalRecord, ApprovalOutcome } from "claw-contract";
import { ENVELOPE_VERSION } from "claw-contract/schemas";
import type { ServerEvent } from "../../../bus/index.ts";
import { sha256 } from "./read-question.ts";

const UUID_DIGITS = 32;

/** A UUID made from the text: the same text gives the same id. */
function uuidFor(text: string): string {
  const digits = sha256(text).slice(0, UUID_DIGITS);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `5${digits.slice(13, 16)}`, `a${digits.slice(17, 20)}`];
  return [...parts, digits.slice(20)].join("-");
}

/** The reason of a rejection: no answer in time, the reason in the answer, or the peer or rule that rejected. */
const outcomeReason = (outcome: ApprovalOutcome): string =>
  outcome.kind === "expired"
    ? "no answer came in time"
    : (outcome.reason ?? `rejected by ${outcome.rule ?? outcome.by}`);

/** The command that tells the worker the outcome, sent in the name of the peer that answered. */
function commandOf(
  { opened }: ApprovalRecord,
  outcome: ApprovalOutcome,
  nameOf: (peerId: string) => string,
): ServerEvent {
  const { approvalId, peerId, requestId, sequence, hash } = opened;
  const isApproval = outcome.kind === "answered" && outcome.decision === "approve";
  const action = isApproval ? "approve" : "reject";
  const by = outcome.kind === "answered" ? outcome.by : "server";
  const bound = { correlation_id: requestId, approval_id: approvalId, hash };
  const chosen = outcome.kind === "answered" && outcome.chosen !== null ? { chosen: outcome.chosen } : {};
  const why = outcome.kind === "answered" && outcome.reason !== null ? { reason: outcome.reason } : {};
  const data = isApproval ? { ...bound, payload: { ...chosen, ...why } } : { ...bound, reason: outcomeReason(outcome) };
  return {
    topic: `cmd.${peerId}.${action}`,
    from: by,
    payload: {
      v: ENVELOPE_VERSION,
      id: uuidFor(`${approvalId} ${sequence} ${action} ${outcome.ts}`),
      from_peer: by,
      from_name: nameOf(by),
      ts_published: outcome.ts,
      correlation_id: requestId,
      schema: `cmd-${action}-v1`,
      data,
      ts_server: outcome.ts,
    },
  };
}

function outcomeEvent({ opened }: ApprovalRecord, outcome: ApprovalOutcome): ServerEvent {
  const { approvalId, peerId, requestId, hash } = opened;
  if (outcome.kind === "answered") {
    const { kind: _kind, ...answer } = outcome;
    return { topic: "system.approval.answered", payload: { approvalId, peerId, requestId, ...answer, hash } };
  }
  const { reason, ts, by } = outcome;
  const changed = by === null ? {} : { changedTo: by };
  return { topic: "system.approval.expired", payload: { approvalId, peerId, requestId, reason, ...changed, ts } };
}

/** The events of an approval that are missing in the log, in order. */
export function missingEvents(record: ApprovalRecord, nameOf: (peerId: string) => string): ServerEvent[] {
  const { opened, isTold, outcome, isOutcomeTold, isAnswerSent } = record;
  return [
    ...(isTold ? [] : [{ topic: "system.approval.opened", payload: opened }]),
    ...(outcome === null || isOutcomeTold ? [] : [outcomeEvent(record, outcome)]),
    ...(outcome === null || isAnswerSent ? [] : [commandOf(record, outcome, nameOf)]),
  ];
}
