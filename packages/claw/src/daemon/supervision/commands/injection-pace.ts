import { setTimeout as delay } from "node:timers/promises";
import { joinSignals } from "../../../process/index.ts";

/** How long the steps of typing wait. A wait alone is no evidence. */
export interface InjectionPace {
  /** After the first output that follows a paste, for the paste to be seen on the screen. */
  readonly seenMs: number;
  /** For a program that prints no output, or does not show the paste, before Enter is pressed nevertheless. */
  readonly silentMs: number;
  /** Between a paste that was taken and Enter, and between two looks that have to agree. */
  readonly settleMs: number;
  /** Until the next look at an agent's screen that takes no input, unless the screen changes earlier. */
  readonly lookMs: number;
}

export const INJECTION_PACE: InjectionPace = { seenMs: 3000, silentMs: 180_000, settleMs: 150, lookMs: 500 };

/** Resolves after a time; rejects with the signal's reason. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Keeps no process alive. */
export const pauseFor: Sleep = async (ms, signal) => {
  try {
    await delay(ms, undefined, { signal, ref: false });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

const LATE = Symbol("late");

/**
 * Resolves with the result of `run`, or with undefined when `run` takes longer: then the signal of `run` is aborted.
 */
export async function withinPace<Value>(
  { ms, pause }: { readonly ms: number; readonly pause: Sleep },
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  const own = new AbortController();
  const both = joinSignals({ signals: [signal, own.signal] });
  const clock = pause(ms, both.signal).then(
    () => own.abort(LATE),
    () => undefined,
  );
  try {
    return await run(both.signal);
  } catch (error) {
    if (error === LATE) return undefined;
    throw error;
  } finally {
    own.abort(LATE);
    await clock;
    both.release();
  }
}
