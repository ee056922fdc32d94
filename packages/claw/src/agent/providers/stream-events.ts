import { setTimeout } from "node:timers/promises";
import { ClawError, LIMITS } from "claw-contract";
import type { AskedProvider } from "./model-failure.ts";
import { brokenStream, modelFailure } from "./model-failure.ts";
import type { FetchWatch, WatchOptions } from "./watched-fetch.ts";
import { watchRequest } from "./watched-fetch.ts";

/** How long claw waits for the end of a stream after the answer is complete. */
const MODEL_LINGER_MS = 1000;

/** How one request to a provider is made. */
export interface StreamCall extends AskedProvider, WatchOptions {
  /** Sends the request. Resolves with the events as soon as the provider begins to answer. */
  readonly open: (watch: FetchWatch) => PromiseLike<AsyncIterable<unknown>>;
  /**
   * Whether the answer is complete. Then the end of the stream is awaited only for `MODEL_LINGER_MS`, and a
   * failure there is ignored.
   */
  readonly ended: () => boolean;
}

const END = { done: true, value: undefined } as const;

/**
 * Reads on after a complete answer, so that the connection can be used again. A late or failed read counts as the end.
 */
async function linger(step: Promise<IteratorResult<unknown>>): Promise<IteratorResult<unknown>> {
  const timer = new AbortController();
  const late = setTimeout(MODEL_LINGER_MS, END, { signal: timer.signal });
  try {
    return await Promise.race([step.catch(() => END), late.catch(() => END)]);
  } finally {
    timer.abort();
  }
}

function troubleOf(call: StreamCall, watch: FetchWatch): ClawError | undefined {
  const trouble = watch.trouble();
  if (trouble === "stalled") return brokenStream(call, `nothing came for ${call.idleMs} ms`);
  if (trouble === undefined) return undefined;
  const { provider, model } = call;
  return new ClawError(
    "UPSTREAM_REJECTED",
    `the answer of ${provider} is larger than ${LIMITS.modelAnswerBytes} bytes`,
    {
      operation: "ask_model",
      target: model,
      details: { provider, status: null },
    },
  );
}

/**
 * Sends a request and yields the events as they arrive. Throws a ClawError of the catalogue on failure, or the signal's
 * reason after an abort. On an abort an SDK ends the stream silently, so the signal is checked after every step.
 * Leaving the loop closes the connection.
 */
export async function* readServerEvents(call: StreamCall, signal: AbortSignal): AsyncGenerator {
  signal.throwIfAborted();
  const watch = watchRequest(call, signal);
  const guard = async <T>(step: () => PromiseLike<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      signal.throwIfAborted();
      throw troubleOf(call, watch) ?? modelFailure(call, error);
    }
  };
  try {
    const events = await guard(() => call.open(watch));
    const iterator = events[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await (call.ended() ? linger(iterator.next()) : guard(() => iterator.next()));
      signal.throwIfAborted();
      if (call.ended() && done) return;
      const trouble = troubleOf(call, watch);
      if (trouble !== undefined) throw trouble;
      if (done) return;
      yield value;
    }
  } finally {
    watch.close();
  }
}
