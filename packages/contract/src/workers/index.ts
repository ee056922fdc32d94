export { reduceWorker } from "./reduce-worker.ts";
export { nextDueOf } from "./take-clock.ts";
export { stateChangeOf, tellAt } from "./tell-worker.ts";
export type { ClockFact, EventFact, WorkerFact } from "./worker-fact.ts";
export type { Completion, Verdict, WorkerRecord } from "./worker-record.ts";
export { COMPLETIONS, newWorker } from "./worker-record.ts";
export type { WorkerView } from "./worker-view.ts";
export { viewOf } from "./worker-view.ts";
export { worktreeChangesIn } from "./worktree-changes.ts";
