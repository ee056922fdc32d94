/**
 * States of a worker. Silence is `stale` or `hung`, never done. When no evidence shows whether an agent works or waits,
 * the state is `unknown`, and the reason says why.
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

/** Ended states: a worker does not leave such a state without an outside event, for example a restart. */
export const ENDED_STATES: ReadonlySet<WorkerState> = new Set(["finished", "aborted", "failed", "gone"]);

/**
 * Source of a state: the worker, the agent's stream, a hook of the agent, the terminal, the process, the server's
 * clock, or the server.
 */
export const STATE_SOURCES = ["self", "stream", "hook", "terminal", "process", "clock", "server"] as const;
export type StateSource = (typeof STATE_SOURCES)[number];

/** Signals about the agent that a worker's process notices, from any state source. */
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

/** How a command reaches a worker: over the bus, through the agent's input, or typed into the terminal. */
export const COMMAND_ROUTES = ["bus", "input", "terminal"] as const;
export type CommandRoute = (typeof COMMAND_ROUTES)[number];

/** Kinds of facts that prove a step of a command. */
export const EVIDENCE_KINDS = ["sequence", "pty_offset", "signal", "process"] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Actions for a worker that is stale, hung or has crashed. */
export const TROUBLE_ACTIONS = ["alert", "nudge", "restart"] as const;
export type TroubleAction = (typeof TROUBLE_ACTIONS)[number];

/** Capability in `boot` of a worker that reports the steps of its commands. */
export const COMMAND_CAPABILITY = "commands";

/** Scopes for which spending can be limited. */
export const BUDGET_SCOPES = ["workspace", "day", "fleet", "worker", "run"] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** What a caller waits for: the report and its checks, checks that passed, or a question. */
export const WAIT_GOALS = ["complete", "verified", "needs-input"] as const;
export type WaitGoal = (typeof WAIT_GOALS)[number];

/** How a worker's commits enter the branch from which the worktree was made. */
export const MERGE_STRATEGIES = ["merge", "squash", "rebase"] as const;
export type MergeStrategy = (typeof MERGE_STRATEGIES)[number];
