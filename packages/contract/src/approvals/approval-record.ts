import type { ApprovalAnswered, ApprovalExpired, ApprovalOpened } from "../events/supervision.ts";

/** An answer, by whoever gave it. */
export interface Answered {
  readonly decision: ApprovalAnswered["decision"];
  readonly chosen: string | null;
  readonly reason: string | null;
  readonly by: string;
  readonly rule: string | null;
  readonly ts: string;
}

/** How an approval came to its end. */
export type ApprovalOutcome =
  | ({ readonly kind: "answered" } & Answered)
  | {
      readonly kind: "expired";
      readonly reason: ApprovalExpired["reason"];
      readonly ts: string;
      readonly by: string | null;
    };

/** Something a worker asks for, from the question to its end. */
export interface ApprovalRecord {
  readonly opened: ApprovalOpened;
  /** Whether everybody was told that it is open. */
  readonly isTold: boolean;
  readonly outcome: ApprovalOutcome | null;
  /** Whether everybody was told how it ended. */
  readonly isOutcomeTold: boolean;
  /** Whether the worker was told, where it has to be. */
  readonly isAnswerSent: boolean;
}

export const askedRecord = (opened: ApprovalOpened): ApprovalRecord => ({
  opened,
  isTold: false,
  outcome: null,
  isOutcomeTold: false,
  isAnswerSent: false,
});

/** Whether something has to follow that is not in the log. */
export const isUnfinished = ({ isTold, outcome, isOutcomeTold, isAnswerSent }: ApprovalRecord): boolean =>
  !isTold || (outcome !== null && (!isOutcomeTold || !isAnswerSent));

/** Nobody can answer it any more. Only whose time is over is told: the others are gone, or ask for something else. */
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

/** The same is asked once more: what is open stays open, and what was answered is answered once more. */
export function askedAgain(record: ApprovalRecord, opened: ApprovalOpened): ApprovalRecord {
  const { outcome } = record;
  if (outcome === null) return record;
  if (outcome.kind === "expired" && outcome.reason !== "deadline") return askedRecord(opened);
  return { ...record, opened: { ...record.opened, sequence: opened.sequence }, isAnswerSent: false };
}

/** What a command means that answers a request. */
export const decisionOf = (action: string): "approve" | "reject" =>
  action === "reject" || action === "abort" ? "reject" : "approve";
