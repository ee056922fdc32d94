import type { CheckResult, WorkerCompleted, Worktree } from "@claw/contract/schemas";

/** Where a worker works, and what shows that its work is done. */
export interface Workplace {
  readonly cwd: string | null;
  readonly worktree: Worktree | null;
  readonly checks: readonly string[];
  /** Where what it leaves is kept. */
  readonly folder: string | null;
  /** Whether a tool of it was seen at work. */
  readonly sawTool: boolean;
}

export const UNKNOWN_PLACE: Workplace = { cwd: null, worktree: null, checks: [], folder: null, sawTool: false };

/** What a worker reported, and what became of it. */
export interface Report {
  readonly peerId: string;
  readonly sequence: number;
  readonly result: WorkerCompleted["result"];
  readonly summary: string;
  readonly artifacts: readonly { readonly path: string }[];
  /** Null when it did not say. */
  readonly toolCalls: number | null;
  /** Whether it says that it changed files or made commits. */
  readonly claimsChanges: boolean;
  readonly place: Workplace;
  /** What was found when it was looked at; null before. */
  readonly completed: Pick<WorkerCompleted, "artifacts" | "doubts"> | null;
  /** Null before its checks were run, and for ever when there are none. */
  readonly verified: { readonly passed: boolean; readonly checks: readonly CheckResult[] } | null;
  readonly judged: { readonly kind: "accepted" | "rework"; readonly by: string; readonly reason: string | null } | null;
}

export type CompletionWord = "reported" | "verified" | "failed_checks" | "accepted" | "rework";

/** Whether its checks have to be run. */
export const needsChecks = ({ result, place, verified, judged }: Report): boolean =>
  result === "ok" && place.checks.length > 0 && verified === null && judged === null;

export function completionOf({ judged, verified }: Report): CompletionWord {
  if (judged !== null) return judged.kind;
  if (verified === null) return "reported";
  return verified.passed ? "verified" : "failed_checks";
}
