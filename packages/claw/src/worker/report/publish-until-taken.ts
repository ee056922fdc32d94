import type { ErrorCode } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { phasesTo } from "../worker-life.ts";
import type { LifeParts } from "../worker-life.ts";
import type { Stop } from "../be-worker.ts";

/** How long a worker may take to publish final events after the worker was told to end. */
const WORKER_LAST_WORDS_MS = 8000;

/** The last events of a worker. The bus may be unreachable, so a worker told to end waits only for a limited time. */
export interface LastEvents {
  /** The worker was told to end, before or during its last events. */
  stopped(reason: Stop): void;
  /** Resolves with the exit code when the last events are published, or when the time for them is over. */
  say(saying: Promise<number>): Promise<number>;
}

const SIGTERM_EXIT = 143;

const later = (code: number): Promise<number> =>
  new Promise((resolve) => setTimeout(resolve, WORKER_LAST_WORDS_MS, code).unref());

export function createLastEvents(): LastEvents {
  let go: (code: number) => void = () => undefined;
  const signalled = new Promise<number>((resolve) => (go = resolve));
  return {
    stopped: ({ kind }) => {
      if (kind !== "aborted") go(kind === "signalled" ? SIGTERM_EXIT : 1);
    },
    say: (saying) => Promise.race([saying, signalled.then(later)]),
  };
}

/** The first pause between two attempts. */
const WORKER_RETRY_FIRST_MS = 100;

/** Temporary refusals: the bus stored no event, and the worker may publish the event again. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  "PUBLISH_NOT_STORED",
  "PUBLISH_RATE_LIMITED",
  "SPOOL_FULL",
  "NATS_UNREACHABLE",
  "NATS_STREAM_REPLACED",
  "DISK_FULL",
  "READ_ONLY_FILESYSTEM",
  "FILE_ACCESS_DENIED",
  "FILESYSTEM_ERROR",
]);

/** How long to wait after this number of refusals in a row. */
export const retryPauseMs = (refusals: number): number =>
  Math.min(LIMITS.workerRetryMostMs, WORKER_RETRY_FIRST_MS * 2 ** Math.min(refusals, 20));

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface RetryParts extends Pick<LifeParts, "log" | "now"> {
  /** Resolves after this number of milliseconds. */
  readonly pause?: (ms: number) => Promise<void>;
}

/**
 * Publishes an event that must not be lost, and repeats it until the bus has stored it: without the event, the work
 * would have to be done again. Rejects with a permanent refusal, or with one that lasts for `workerRetryMs`. While the
 * bus does not answer at all, the worker waits.
 */
export async function publishUntilTaken<Receipt>(
  { log, now, pause: wait = pause }: RetryParts,
  what: string,
  say: () => Promise<Receipt>,
): Promise<Receipt> {
  const until = now() + LIMITS.workerRetryMs;
  for (let refusals = 0; ; refusals += 1) {
    try {
      const receipt = await say();
      if (refusals > 0) log(`${what} was taken after ${refusals} refusals`);
      return receipt;
    } catch (error) {
      const passes = error instanceof ClawError && PASSING.has(error.code);
      if (!passes || now() >= until) throw error;
      if (refusals === 0) log(`${what} is said again until ${new Date(until).toISOString()}: ${error.message}`);
      await wait(retryPauseMs(refusals));
    }
  }
}

/**
 * Enters the last phases, each after the bus has stored the one before. A permanent refusal is written to the worker's
 * log.
 */
export async function walkOut(life: LifeParts, to: "REFLECT" | "FAILED", reason: string): Promise<void> {
  const { worker, log } = life;
  for (const phase of phasesTo(worker.currentPhase(), to)) {
    try {
      await publishUntilTaken(life, `phase ${phase}`, () => worker.phase(phase, reason));
    } catch (error) {
      return log(`phase ${phase} was refused: ${String(error)}`);
    }
  }
  return undefined;
}
