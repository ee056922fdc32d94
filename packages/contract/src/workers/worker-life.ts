import type { LifeProcess, WorkerEnd } from "./worker-end.ts";
import { endBy, laterEnd } from "./worker-end.ts";

/** One life of a worker: from a start, or from the first word of a worker that the daemon did not start. */
export interface WorkerLife {
  /** Id of the life. A later life of the same worker has another id. */
  readonly bootId: string;
  readonly hasBooted: boolean;
  readonly process: LifeProcess;
  /** Process id from the start; null when unknown. */
  readonly pid: number | null;
  /** Whether the worker's connection has ended. */
  readonly isAway: boolean;
  /** Whether the worker named a terminal that is not known to be closed. Its agent may live on there. */
  readonly hasTerminal: boolean;
  /** Whether the worker was told to stop. */
  readonly isStopping: boolean;
  /** Null while the worker lives. */
  readonly end: WorkerEnd | null;
}

/** An event about a worker. The payload is given without its envelope; any content is possible. */
export interface LifeEvent {
  readonly topic: string;
  readonly from: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sequence: number;
}

/** The life of a worker whose start is not in the log. */
export const FIRST_LIFE: WorkerLife = {
  bootId: "boot_1",
  hasBooted: false,
  process: "unknown",
  pid: null,
  isAway: false,
  hasTerminal: false,
  isStopping: false,
  end: null,
};

/**
 * Whether the work of this life is over: the worker asks nothing more, and its silence is no trouble. The work of a
 * worker that only left may go on: the worker may come back, or its agent lives in a terminal.
 */
export const isOver = ({ end }: WorkerLife): boolean => end !== null && (end.by !== "left" || end.isSettled);

/** Whether the worker has ended: it takes no commands, and another worker may take its name. */
export const hasLifeEnded = ({ end }: WorkerLife): boolean => end?.isSettled === true;

/** Whether the life was lost: its process ended before a report. */
export const isLost = ({ end }: WorkerLife): boolean => end?.by === "crash" || end?.by === "abort";

/** The end of the earlier life, if the life ended between the two; null when the same life goes on as before. */
export function endBetween(before: WorkerLife, after: WorkerLife): WorkerEnd | null {
  if (before.bootId !== after.bootId) return before.end ?? endBy("replaced");
  return before.end === after.end ? null : after.end;
}

/** The life with one more reason to end; the same object when nothing changes. */
export function endLife(life: WorkerLife, next: WorkerEnd): WorkerLife {
  const end = laterEnd(life.end, next);
  return end === life.end ? life : { ...life, end };
}
