import type { ErrorCode } from "../errors/errors.ts";
import type { WorkerView } from "./worker-view.ts";
import type { WaitGoal } from "./worker-words.ts";

/** Where a worker stands that is waited for. */
export type WaitVerdict =
  | { readonly kind: "waiting" }
  | { readonly kind: "met" }
  /** What was waited for comes no more. */
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

type Seen = Pick<WorkerView, "name" | "state" | "ended" | "completion" | "reason" | "checks">;

const WAITING: WaitVerdict = { kind: "waiting" };
const MET: WaitVerdict = { kind: "met" };
const failedWait = (code: ErrorCode, message: string): WaitVerdict => ({ kind: "failed", code, message });

function judgeEnd({ name, state, reason }: Seen): WaitVerdict {
  if (state === "aborted") return failedWait("WORKER_ABORTED", `${name} was aborted: ${reason}`);
  return state === "finished"
    ? MET
    : failedWait("WORKER_FAILED", `${name} ${state === "gone" ? "is gone" : "failed"}: ${reason}`);
}

function judgeChecks({ name, completion, checks }: Seen): WaitVerdict {
  if (completion === "verified" || completion === "accepted") return MET;
  if (completion === "failed_checks") return failedWait("WORKER_FAILED", `the checks of ${name} failed`);
  return checks === 0 ? failedWait("WORKER_FAILED", `${name} has no checks, so nothing verifies it`) : WAITING;
}

/** Whether a worker has reported its result and its checks have not all run. */
const hasChecksToCome = ({ completion, checks }: Seen): boolean => checks > 0 && completion === "reported";

/** Whether a worker has come where it is waited for. One that was sent back is about to start again. Pure. */
export function judgeWait(worker: Seen, goal: WaitGoal): WaitVerdict {
  const { name, state, ended, completion } = worker;
  const isOver = ended && completion !== "rework";
  if (goal === "needs-input") {
    if (state === "needs_input") return MET;
    return isOver ? failedWait("WORKER_ENDED", `${name} ended before it asked for anything`) : WAITING;
  }
  if (!isOver) return WAITING;
  const end = judgeEnd(worker);
  if (end.kind !== "met") return end;
  if (goal === "verified") return judgeChecks(worker);
  return hasChecksToCome(worker) ? WAITING : MET;
}
