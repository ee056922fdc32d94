import { setTimeout as delay } from "node:timers/promises";
import { ClawError } from "claw-contract";
import type { DaemonOptions, RunningDaemon } from "../../../daemon/index.ts";

type Start = (options: DaemonOptions, signal: AbortSignal) => Promise<RunningDaemon>;

/** Pause between two attempts to start on a stream that was replaced. */
const AGAIN_MS = 500;

/** The same options, with the port that the daemon listened on when any port was asked for. */
function sameAddress(options: DaemonOptions, { http }: RunningDaemon["record"]): DaemonOptions {
  return options.http === undefined || http === null ? options : { ...options, http: new URL(http).host };
}

const passes = (error: unknown, signal: AbortSignal): boolean =>
  error instanceof ClawError && error.retryable && !signal.aborted;

/** Starts a daemon, and tries again while NATS is away. Rejects with any other error, or when the signal aborts. */
async function startAgain(start: Start, options: DaemonOptions, signal: AbortSignal): Promise<RunningDaemon> {
  for (;;) {
    try {
      return await start(options, signal);
    } catch (error) {
      if (!passes(error, signal)) throw error;
      await delay(AGAIN_MS, undefined, { signal });
    }
  }
}

/**
 * Starts a daemon. When the stream of its cluster was replaced, ends all parts of the daemon and starts them on the new
 * stream, in this process: clients come back, are told `gap`, and the state is rebuilt from the new stream.
 */
export async function followReplacements(
  start: Start,
  options: DaemonOptions,
  signal: AbortSignal,
): Promise<RunningDaemon> {
  let running = await start(options, signal);
  const again = sameAddress(options, running.record);
  let starting: Promise<unknown> = Promise.resolve();
  const restart = async (): Promise<void> => {
    await running.stop();
    running = await startAgain(start, again, signal);
  };
  const follow = async (): Promise<ClawError> => {
    for (;;) {
      const lost = await running.lost;
      if (lost.code !== "NATS_STREAM_REPLACED") return lost;
      const restarted = restart();
      starting = restarted.catch(() => undefined);
      try {
        await restarted;
      } catch (error) {
        if (signal.aborted) return lost;
        if (error instanceof ClawError) return error;
        throw error;
      }
    }
  };
  const lost = follow();
  // The caller stops the daemon after the signal, which also ends an attempt to start.
  const stop = async (): Promise<void> => {
    await starting;
    await running.stop();
  };
  return { record: running.record, lost, stop };
}
