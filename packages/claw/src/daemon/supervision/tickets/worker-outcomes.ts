import type { WaitGoal, WorkerOutcome, WorkerView } from "claw-contract";
import { firstChars, judgeWait, LIMITS } from "claw-contract";
import type { Report } from "../completion/completion-memory.ts";

/** Facts about workers, as the other extensions know them now. */
export interface WorkerFacts {
  /** The worker's state; undefined for a worker that was removed. */
  readonly view: (peerId: string) => WorkerView | undefined;
  /** The worker's last report; undefined before the first. */
  readonly report: (peerId: string) => Report | undefined;
}

const line = (text: string): string => firstChars(text, LIMITS.outcomeLineChars);

const checksIn = (report: Report | undefined): WorkerOutcome["checks"] =>
  (report?.verified?.checks ?? []).map(({ command, passed, exit_code }) => ({
    command: line(command),
    passed,
    exit_code,
  }));

function worktreeIn({ worktree }: WorkerView): WorkerOutcome["worktree"] {
  const { path, branch } = worktree ?? {};
  return typeof path === "string" && typeof branch === "string" ? { path, branch } : null;
}

const removed = (peerId: string, name: string): WorkerOutcome => ({
  peer_id: peerId,
  name,
  verdict: "failed",
  code: "WORKER_NOT_FOUND",
  state: null,
  reason: `${name} was removed`,
  completion: null,
  result: null,
  summary: null,
  checks: [],
  cost_usd: 0,
  tokens: 0,
  worktree: null,
});

/** Where a worker stands for someone who waits for the goal. Long texts are cut. */
export function outcomeOf(facts: WorkerFacts, peerId: string, { name, goal }: { name: string; goal: WaitGoal }) {
  const view = facts.view(peerId);
  if (view === undefined) return removed(peerId, name);
  const verdict = judgeWait(view, goal);
  const report = facts.report(peerId);
  const outcome: WorkerOutcome = {
    peer_id: peerId,
    name: view.name,
    verdict: verdict.kind,
    code: verdict.kind === "failed" ? verdict.code : null,
    state: view.state,
    reason: line(verdict.kind === "failed" ? verdict.message : view.reason),
    completion: view.completion,
    result: report?.result ?? null,
    summary: report === undefined ? null : firstChars(report.summary, LIMITS.outcomeSummaryChars),
    checks: checksIn(report),
    cost_usd: view.cost_usd,
    tokens: view.tokens,
    worktree: worktreeIn(view),
  };
  return outcome;
}

/** Whether the wait is over. For `needs-input`, one worker that asks is enough. */
export function isWaitOver(outcomes: readonly WorkerOutcome[], goal: WaitGoal): boolean {
  if (goal === "needs-input" && outcomes.some(({ verdict }) => verdict === "met")) return true;
  return outcomes.every(({ verdict }) => verdict !== "waiting");
}
