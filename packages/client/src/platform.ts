interface Globals {
  readonly crypto: { getRandomValues(bytes: Uint8Array): unknown };
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
  queueMicrotask(run: () => void): void;
}

/** The globals that browsers and Node share, named here because this code is compiled with the types of neither. */
export const platform = globalThis as unknown as Globals;

/** Time and chance. */
export interface Timer {
  /** Milliseconds since 1970. */
  now(): number;
  /** At least 0, less than 1. */
  random(): number;
  /** Calls `run` once after `ms` milliseconds. The returned function cancels the call, unless it has already run. */
  after(ms: number, run: () => void): () => void;
}

export const systemTimer: Timer = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const handle = platform.setTimeout(run, ms);
    return () => platform.clearTimeout(handle);
  },
};

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A random UUID. `crypto.randomUUID` is missing from pages that came over plain HTTP; this is not. */
export function uuid(): string {
  const bytes = new Uint8Array(16);
  platform.crypto.getRandomValues(bytes);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = hex(bytes);
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}
