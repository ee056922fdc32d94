import { setMaxListeners } from "node:events";

export interface SignalSources {
  /** An abort of any of these signals is passed on, with the reason. */
  readonly signals?: readonly AbortSignal[];
  /** The joined signal is also aborted after this time, with a `TimeoutError`. */
  readonly timeoutMs?: number;
}

export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Detaches the sources and the timer; the signal is never aborted afterwards. Idempotent. */
  readonly release: () => void;
}

/**
 * A signal that is aborted as soon as any source is aborted or the time is over. The caller releases the signal.
 * Replaces `AbortSignal.any` and `AbortSignal.timeout`: Node 20 holds the signals of those two by weak references, so a
 * garbage collection can remove a time limit. Here the sources and the timer hold the signal.
 */
export function joinSignals({ signals = [], timeoutMs }: SignalSources): JoinedSignal {
  const joined = new AbortController();
  const stops: (() => void)[] = [];
  const release = (): void => {
    for (const stop of stops.splice(0)) stop();
  };
  const abort = (reason: unknown): void => {
    release();
    joined.abort(reason);
  };
  if (timeoutMs !== undefined) {
    const late = (): void => abort(new DOMException(`it took more than ${timeoutMs} ms`, "TimeoutError"));
    const timer = setTimeout(late, timeoutMs).unref();
    stops.push(() => clearTimeout(timer));
  }
  for (const source of signals) {
    const pass = (): void => abort(source.reason);
    // Node warns of a leak when a signal has more than ten listeners; these listeners are released.
    setMaxListeners(0, source);
    source.addEventListener("abort", pass, { once: true });
    stops.push(() => source.removeEventListener("abort", pass));
  }
  const over = signals.find((source) => source.aborted);
  if (over !== undefined) abort(over.reason);
  return { signal: joined.signal, release };
}
