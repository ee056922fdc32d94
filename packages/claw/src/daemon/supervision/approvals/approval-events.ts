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

/**
 * The command that tells the worker the outcome, sent in the name of the peer that answered. That peer gets the event as
 * all others do: it has published nothing itself, and would not know the command's id otherwise.
 */
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
    id: `approval-command ${approvalId} ${sequence}`,
    from: by,
    echo: true,
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
  const { approvalId, peerId, requestId, hash, sequence } = opened;
  // The id of an approval's outcome is the same on every daemon, so the log holds one outcome.
  const id = `approval-outcome ${approvalId} ${sequence}`;
  if (outcome.kind === "answered") {
    const { kind: _kind, ...answer } = outcome;
    return { topic: "system.approval.answered", id, payload: { approvalId, peerId, requestId, ...answer, hash } };
  }
  const { reason, ts, by } = outcome;
  const changed = by === null ? {} : { changedTo: by };
  return { topic: "system.approval.expired", id, payload: { approvalId, peerId, requestId, reason, ...changed, ts } };
}

/** The events of an approval that are missing in the log, in order, without the command to the worker. */
export function missingTellings(record: ApprovalRecord): ServerEvent[] {
  const { opened, isTold, outcome, isOutcomeTold } = record;
  const { approvalId, sequence } = opened;
  const id = `approval-opened ${approvalId} ${sequence}`;
  return [
    ...(isTold ? [] : [{ topic: "system.approval.opened", id, payload: opened }]),
    ...(outcome === null || isOutcomeTold ? [] : [outcomeEvent(record, outcome)]),
  ];
}

/** The command to the worker, when it is missing in the log. */
export function missingCommand(record: ApprovalRecord, nameOf: (peerId: string) => string): ServerEvent[] {
  const { outcome, isAnswerSent } = record;
  return outcome === null || isAnswerSent ? [] : [commandOf(record, outcome, nameOf)];
}
