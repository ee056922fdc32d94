import type { ApprovalExpired, ApprovalOpened } from "../events/families/supervision.ts";
import type { ApprovalOutcome } from "./approval-view.ts";
import type { WorkerEvent } from "../events/worker-event.ts";
import { LIMITS } from "../limits/limits.ts";
import { numberOf } from "../json.ts";

/** One question of a worker, from the event that asks until the outcome. */
export interface ApprovalRecord {
  readonly opened: ApprovalOpened;
  /** Whether `system.approval.opened` is in the log. */
  readonly isTold: boolean;
  readonly outcome: ApprovalOutcome | null;
  /** Whether `system.approval.answered` or `system.approval.expired` is in the log. */
  readonly isOutcomeTold: boolean;
  /** Whether the answering command is in the log, or the worker needs no command. */
  readonly isAnswerSent: boolean;
}

export const askedRecord = (opened: ApprovalOpened): ApprovalRecord => ({
  opened,
  isTold: false,
  outcome: null,
  isOutcomeTold: false,
  isAnswerSent: false,
});

/** Whether the log still lacks an event of this approval. */
export const isUnfinished = ({ isTold, outcome, isOutcomeTold, isAnswerSent }: ApprovalRecord): boolean =>
  !isTold || (outcome !== null && (!isOutcomeTold || !isAnswerSent));

/**
 * Closes an approval without an answer. Only a missed deadline sends the worker a command: with the other reasons the
 * worker has ended, or asks a different question.
 */
export const endedRecord = (
  record: ApprovalRecord,
  reason: ApprovalExpired["reason"],
  ts: string,
  by: string | null = null,
): ApprovalRecord => ({
  ...record,
  outcome: { kind: "expired", reason, ts, by },
  isOutcomeTold: false,
  isAnswerSent: reason !== "deadline",
});

/** The worker asks the same question again: an open approval stays open, and an answered one sends the answer again. */
export function askedAgain(record: ApprovalRecord, opened: ApprovalOpened): ApprovalRecord {
  const { outcome } = record;
  if (outcome === null) return record;
  if (outcome.kind === "expired" && outcome.reason !== "deadline") return askedRecord(opened);
  return { ...record, opened: { ...record.opened, sequence: opened.sequence }, isAnswerSent: false };
}

/** Decision that an answering command stands for. */
export const decisionOf = (action: string): "approve" | "reject" =>
  action === "reject" || action === "abort" ? "reject" : "approve";

const timeIn = (value: unknown): number | undefined => {
  const ms = typeof value === "string" ? Date.parse(value) : numberOf(value);
  return ms === undefined || Number.isNaN(ms) ? undefined : ms;
};

/** When a question that was stored at `askedMs` is answered with its default, in milliseconds. */
export function approvalDeadline(event: WorkerEvent, askedMs: number): number {
  const fields: Readonly<Record<string, unknown>> = { ...event, ...event.data };
  const until = timeIn(fields["deadline"]);
  const wanted = until === undefined ? numberOf(fields["timeout_ms"]) : until - askedMs;
  const ms = wanted ?? LIMITS.approvalMs;
  return askedMs + Math.min(Math.max(ms, LIMITS.approvalLeastMs), LIMITS.approvalMostMs);
}
