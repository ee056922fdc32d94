import { isPhase, isTerminalPhase } from "../events/phases.ts";
import type { JsonObject } from "../json.ts";

/**
 * How a life of a worker ended.
 *
 * | word | the life ended because |
 * |---|---|
 * | `complete` | the worker reported its result |
 * | `fatal` | the worker published an event or a heartbeat of severity `fatal` |
 * | `failed`, `reflect` | the worker entered the terminal phase FAILED or REFLECT |
 * | `crash` | the worker's process ended before the worker reported |
 * | `abort` | the process ended before a report, and the worker was told to stop |
 * | `stopped` | the daemon ended the process on purpose |
 * | `left` | the connection of a worker without a known process ended, and the worker did not come back |
 * | `terminal` | the terminal of a worker without a known process was closed |
 * | `replaced` | the worker was started again, or booted again, before this life ended |
 */
export type EndCause =
  | "complete"
  | "fatal"
  | "failed"
  | "reflect"
  | "crash"
  | "abort"
  | "stopped"
  | "left"
  | "terminal"
  | "replaced";

/** The end of a life. */
export interface WorkerEnd {
  readonly by: EndCause;
  /** `result` of the worker's `complete`; null for every other end. */
  readonly result: string | null;
  /**
   * Whether the end is settled: the worker takes no commands, and another worker may take the name. Not settled are the
   * crash of a worker that may be started anew, a terminal phase while the worker's report is still to come, and the
   * loss of one of the two ways to a worker, connection and terminal, while the other is open.
   */
  readonly isSettled: boolean;
}

/** What the daemon knows of the worker's process: `unknown` for a worker that the daemon did not start. */
export type LifeProcess = "unknown" | "alive" | "ended";

export const endBy = (by: EndCause, isSettled = true): WorkerEnd => ({ by, result: null, isSettled });

/** An end by a terminal phase. With a known process, the report or the end of the process is still to come. */
function endByPhase(phase: unknown, process: LifeProcess): WorkerEnd | null {
  if (!isPhase(phase) || !isTerminalPhase(phase)) return null;
  return phase === "FAILED" ? endBy("failed", process !== "alive") : endBy("reflect", false);
}

/** The end that an event of the worker itself reports; null when the event ends nothing. Accepts any data. */
export function endInOwn(action: string, data: JsonObject, process: LifeProcess = "unknown"): WorkerEnd | null {
  switch (action) {
    case "complete":
      return { by: "complete", result: typeof data["result"] === "string" ? data["result"] : null, isSettled: true };
    case "event":
      return data["severity"] === "fatal" ? endBy("fatal") : null;
    case "heartbeat":
      return data["severity"] === "fatal" ? endBy("fatal", process !== "alive") : null;
    case "phase":
      return endByPhase(data["phase"], process);
    default:
      return null;
  }
}

/**
 * An end of more weight replaces an end of less. The worker's last word weighs most, then a failure that the worker
 * announced, then what the daemon found out about the process.
 */
const WEIGHTS: Readonly<Record<EndCause, number>> = {
  reflect: 0,
  left: 0,
  terminal: 0,
  crash: 1,
  stopped: 1,
  abort: 2,
  failed: 3,
  fatal: 4,
  complete: 4,
  replaced: 5,
};

/** The end after another event that ends the same life; the same object when the event changes nothing. */
export function laterEnd(known: WorkerEnd | null, next: WorkerEnd): WorkerEnd {
  if (known === null || WEIGHTS[next.by] > WEIGHTS[known.by]) return next;
  return next.isSettled && !known.isSettled ? { ...known, isSettled: true } : known;
}

/**
 * The state of a worker whose life ended so. Only a report makes a worker finished: a worker that entered REFLECT and
 * reported nothing is gone. A process that ended unseen is `gone` too, which only its exit tells.
 */
export function stateAfter({ by, result }: WorkerEnd): "finished" | "aborted" | "failed" | "gone" {
  if (by === "complete") return result === "ok" ? "finished" : result === "cancelled" ? "aborted" : "failed";
  if (by === "abort") return "aborted";
  return by === "fatal" || by === "failed" || by === "crash" || by === "stopped" ? "failed" : "gone";
}

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
