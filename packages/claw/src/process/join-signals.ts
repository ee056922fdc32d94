import { setMaxListeners } from "node:events";

export interface SignalSources {
  /** Signals whose abort is passed on, with its reason. */
  readonly signals?: readonly AbortSignal[];
  /** After this time the joined signal is aborted too, with a `TimeoutError`. */
  readonly timeoutMs?: number;
}

export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the sources and the clock; the signal is not aborted any more. Idempotent. */
  readonly release: () => void;
}

/**
 * A signal that is aborted as soon as one of its sources is, or when its time is over. The caller releases it.
 *
 * Takes the place of `AbortSignal.any` and `AbortSignal.timeout`: Node 20 holds what those two make by weak references,
 * so that a garbage collection can take a time limit away. Here sources and clock hold the signal.
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
    // Node warns of a leak when more than ten listen to one signal; these are released.
    setMaxListeners(0, source);
    source.addEventListener("abort", pass, { once: true });
    stops.push(() => source.removeEventListener("abort", pass));
  }
  const over = signals.find((source) => source.aborted);
  if (over !== undefined) abort(over.reason);
  return { signal: joined.signal, release };
}
