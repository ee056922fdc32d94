/**
 * What a worker can be said to be doing. Silence is none of them: it is `stale` or `hung`, never done. Where nothing shows
 * whether an agent works or waits, that is `unknown`, and the reason says why.
 */
export const WORKER_STATES = [
  "starting",
  "working",
  "needs_input",
  "blocked",
  "rate_limited",
  "stale",
  "hung",
  "paused",
  "unknown",
  "finished",
  "aborted",
  "failed",
  "gone",
] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

/** States that a worker does not leave by itself. */
export const ENDED_STATES: ReadonlySet<WorkerState> = new Set(["finished", "aborted", "failed", "gone"]);

/** Who says so: the worker, its agent's stream, a hook of its agent, its terminal, its process, the server's clock. */
export const STATE_SOURCES = ["self", "stream", "hook", "terminal", "process", "clock", "server"] as const;
export type StateSource = (typeof STATE_SOURCES)[number];

/** What a worker's process notices of its agent, from any of those sources. */
export const WORKER_SIGNALS = [
  "turn_started",
  "activity",
  "tool_started",
  "tool_ended",
  "turn_ended",
  "needs_input",
  "unclear",
  "rate_limited",
  "paused",
  "resumed",
  "restarted",
  "exited",
] as const;
export type WorkerSignalName = (typeof WORKER_SIGNALS)[number];

export const WORKER_MODES = ["headless", "interactive"] as const;
export type WorkerMode = (typeof WORKER_MODES)[number];

/** How a command reaches a worker: over the bus, through its agent's own input, or typed into its terminal. */
export const COMMAND_ROUTES = ["bus", "input", "terminal"] as const;
export type CommandRoute = (typeof COMMAND_ROUTES)[number];

/** What shows that a command came one step further. */
export const EVIDENCE_KINDS = ["sequence", "pty_offset", "signal", "process"] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** What is done about a worker that is stale, hung or has crashed. */
export const TROUBLE_ACTIONS = ["alert", "nudge", "restart"] as const;
export type TroubleAction = (typeof TROUBLE_ACTIONS)[number];

/** What `boot` names among its capabilities when the worker reports the steps of its commands itself. */
export const COMMAND_CAPABILITY = "commands";

/** What money can be limited for. */
export const BUDGET_SCOPES = ["workspace", "day", "fleet", "worker", "run"] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** How a worker's commits come into the branch that its worktree came from. */
export const MERGE_STRATEGIES = ["merge", "squash", "rebase"] as const;
export type MergeStrategy = (typeof MERGE_STRATEGIES)[number];
