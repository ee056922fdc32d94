import type { Completion, ReplyFields } from "claw-contract";

/** A worker's report, with the results of its examination, checks and judgement. */
export type Report = NonNullable<ReplyFields<"worker.report">["report"]>;

/** The folder a worker works in, and the checks of its work. */
export type Workplace = Report["place"];

export const UNKNOWN_PLACE: Workplace = { cwd: null, worktree: null, checks: [], folder: null, sawTool: false };

/** Whether the report's checks have to be run. */
export const needsChecks = ({ result, place, verified, judged }: Report): boolean =>
  result === "ok" && place.checks.length > 0 && verified === null && judged === null;

export function completionOf({ judged, verified }: Report): Completion {
  if (judged !== null) return judged.kind;
  if (verified === null) return "reported";
  return verified.passed ? "verified" : "failed_checks";
}
