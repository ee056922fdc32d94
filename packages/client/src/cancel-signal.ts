/** What is needed of an `AbortSignal`; every one fits. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Runs once when the signal is given, at once when it was already. What it returns stops listening. */
export function onAbort(signal: CancelSignal | undefined, run: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    run();
    return () => undefined;
  }
  signal.addEventListener("abort", run);
  return () => signal.removeEventListener("abort", run);
}
