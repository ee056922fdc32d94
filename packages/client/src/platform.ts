interface Globals {
  readonly crypto: { getRandomValues(bytes: Uint8Array): unknown };
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
  queueMicrotask(run: () => void): void;
}

/** The globals that browsers and Node share, named here because this code is compiled with the types of neither. */
export const platform = globalThis as unknown as Globals;
