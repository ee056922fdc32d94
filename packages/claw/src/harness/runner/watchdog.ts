import type { RunProgress } from "../stream/run-reader.ts";

/** Timers cannot wait longer. */
export const LONGEST_MS = 2 ** 31 - 1;

/** How long an agent may be silent, and the reason reported when the silence lasts too long. */
export interface Silence {
  readonly ms: number;
  readonly reason: "idle-deadline" | "linger";
}

export interface SilenceLimits {
  /** Null waits for ever. */
  readonly idleMs: number | null;
  readonly lingerMs: number;
}

/** The silence to allow now. An agent that has reported, and has nothing left to do, is not waited for as long. */
export function allowedSilence(
  { sawResult, backgroundTasks }: Pick<RunProgress, "sawResult" | "backgroundTasks">,
  { idleMs, lingerMs }: SilenceLimits,
): Silence | null {
  if (sawResult && backgroundTasks === 0) return { ms: Math.min(lingerMs, idleMs ?? lingerMs), reason: "linger" };
  return idleMs === null ? null : { ms: idleMs, reason: "idle-deadline" };
}

/** Calls `bark` when the agent is silent for too long. */
export interface Watchdog {
  /** Starts to wait anew; null waits for ever. */
  watch(silence: Silence | null): void;
  /** Notes a sign of life: the current wait starts again. */
  heard(): void;
  /** Stops waiting until the next `watch`. */
  rest(): void;
}

export function createWatchdog(bark: (reason: Silence["reason"]) => void): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  let due: NodeJS.Immediate | undefined;
  let watched: Silence | null = null;
  const rest = (): void => {
    clearTimeout(timer);
    clearImmediate(due);
    timer = undefined;
  };
  // When this process was held up, the timer is due before the output that already waits is read.
  const readFirst = ({ reason }: Silence): void => {
    due = setImmediate(bark, reason);
  };
  const heard = (): void => {
    clearImmediate(due);
    timer?.refresh();
  };
  const watch = (silence: Silence | null): void => {
    if (timer !== undefined && silence?.ms === watched?.ms && silence?.reason === watched?.reason) {
      heard();
      return;
    }
    rest();
    watched = silence;
    if (silence !== null) timer = setTimeout(readFirst, Math.min(silence.ms, LONGEST_MS), silence);
  };
  return { watch, heard, rest };
}
