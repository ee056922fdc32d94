import type { CheckResult, WorkerCompleted, Worktree } from "@claw/contract/schemas";

/** The folder a worker works in, and the checks of its work. */
export interface Workplace {
  readonly cwd: string | null;
  readonly worktree: Worktree | null;
  readonly checks: readonly string[];
  /** Folder with the daemon's files about the worker: its job and the output of its checks. */
  readonly folder: string | null;
  /** Whether the worker signalled the start of a tool. */
  readonly sawTool: boolean;
}

export const UNKNOWN_PLACE: Workplace = { cwd: null, worktree: null, checks: [], folder: null, sawTool: false };

/** A worker's report, with the results of its examination, checks and judgement. */
export interface Report {
  readonly peerId: string;
  readonly sequence: number;
  readonly result: WorkerCompleted["result"];
  readonly summary: string;
  readonly artifacts: readonly { readonly path: string }[];
  /** Null when the worker gave no number. */
  readonly toolCalls: number | null;
  /** Whether the worker claims changed files or commits. */
  readonly claimsChanges: boolean;
  readonly place: Workplace;
  /** Result of the examination; null before. */
  readonly completed: Pick<WorkerCompleted, "artifacts" | "doubts"> | null;
  /** Null before the checks are run, and always null when there are no checks. */
  readonly verified: { readonly passed: boolean; readonly checks: readonly CheckResult[] } | null;
  readonly judged: { readonly kind: "accepted" | "rework"; readonly by: string; readonly reason: string | null } | null;
}

export type CompletionWord = "reported" | "verified" | "failed_checks" | "accepted" | "rework";

/** Whether the report's checks have to be run. */
export const needsChecks = ({ result, place, verified, judged }: Report): boolean =>
  result === "ok" && place.checks.length > 0 && verified === null && judged === null;

export function completionOf({ judged, verified }: Report): CompletionWord {
  if (judged !== null) return judged.kind;
  if (verified === null) return "reported";
  return verified.passed ? "verified" : "failed_checks";
}
