/**
 * An abort signal that is made when it is first read, because Node loads a module for it and short calls read none.
 * Serves the rows of `cold-start`.
 */
export interface LateSignal {
  readonly signal: AbortSignal;
  /** The reason of the abort; undefined before it. */
  readonly reason: Error | undefined;
  /** Aborts. A second abort changes nothing. */
  abort(reason: Error): void;
  /** Calls a listener when the abort comes, not when it has come already. Returns what removes the listener. */
  onAbort(listener: () => void): () => void;
}

export function createLateSignal(): LateSignal {
  const listeners = new Set<() => void>();
  let reason: Error | undefined;
  let controller: AbortController | undefined;
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (reason !== undefined) controller.abort(reason);
      }
      return controller.signal;
    },
    get reason() {
      return reason;
    },
    abort(given) {
      if (reason !== undefined) return;
      reason = given;
      controller?.abort(given);
      for (const listener of listeners) listener();
    },
    onAbort(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
