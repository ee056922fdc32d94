import { oneLine } from "../text/plain-text.ts";

export interface PreviousLife {
  /** ISO time when the previous life ended; null when unknown. */
  readonly endedAt: string | null;
  /** Why the worker is started again. */
  readonly reason: string;
  /** Number of the new start; the first start is 1. */
  readonly attempt: number;
  /** Whether the worker works in a git worktree or repository. */
  readonly git?: boolean;
}

const times = (count: number): string => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);

/** The text before the mission of a restarted worker. A foreign text cannot look like a further line of the notice. */
export function restartNotice({ endedAt, reason, attempt, git = true }: PreviousLife): string {
  const when = endedAt === null ? "" : ` at ${endedAt}`;
  const look = git ? "Look at git status, the last commits and the files" : "Look at the files";
  return [
    `NOTE: You were interrupted${when} and have been started anew (start ${attempt}; interrupted ${times(Math.max(1, attempt - 1))} so far).`,
    `Why: ${oneLine(reason) || "not known"}.`,
    `Part of the mission below may be done already. ${look} before you go on; keep what is there, do not begin again, and do not repeat what must happen once.`,
  ].join("\n");
}

/** The text before the mission of a worker whose reported result was sent back. */
export function reworkNotice({ reason, attempt }: Pick<PreviousLife, "reason" | "attempt">): string {
  return [
    `NOTE: You reported that the mission below was done. It was looked at and sent back (start ${attempt}).`,
    `What is wanted: ${oneLine(reason) || "look at it again"}.`,
    "What you did is still there. Look at it first, and change what is asked for.",
  ].join("\n");
}
