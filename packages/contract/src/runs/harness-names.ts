/** The agents whose streams claw understands. `claw` is our own agent; `fake` replaces one of the first two. */
export const HARNESS_IDS = ["claude-code", "codex", "claw", "fake"] as const;

export type HarnessId = (typeof HARNESS_IDS)[number];

/** Agents that log every model call in files. */
export const WRITES_DOWN_CALLS: ReadonlySet<HarnessId> = new Set(["claude-code", "codex"]);

/** Why a run failed or is doubtful. The list is closed: a reader may branch on a category without a default. */
export const ERROR_CATEGORIES = [
  "rate_limit",
  "auth",
  "api",
  "timeout",
  "interactive",
  "background-task",
  "subprocess",
] as const;

export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];
