/** The agents whose streams are understood. `claw` is our own; `fake` stands in for either of the first two. */
export const HARNESS_IDS = ["claude-code", "codex", "claw", "fake"] as const;

export type HarnessId = (typeof HARNESS_IDS)[number];

/** Agents that write down every call of a model in files of their own. */
export const WRITES_DOWN_CALLS: ReadonlySet<HarnessId> = new Set(["claude-code", "codex"]);

/** Why a run failed or is doubtful. Closed: a reader may branch on it without a default. */
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
