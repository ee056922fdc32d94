/** The part of `AbortSignal` that the contract and the client use. Every `AbortSignal` fits. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Calls `run` once when the signal is aborted, at once when it already is. The returned function stops listening. */
export function onAbort(signal: CancelSignal | undefined, run: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    run();
    return () => undefined;
  }
  signal.addEventListener("abort", run);
  return () => signal.removeEventListener("abort", run);
}

/** A cancel signal together with the function to abort it. */
export function createCancel(): { readonly signal: CancelSignal; readonly cancel: () => void } {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    signal: {
      get aborted() {
        return aborted;
      },
      addEventListener: (_type, listener) => void listeners.add(listener),
      removeEventListener: (_type, listener) => void listeners.delete(listener),
    },
    cancel: () => {
      if (aborted) return;
      aborted = true;
      for (const listener of listeners) listener();
    },
  };
}
