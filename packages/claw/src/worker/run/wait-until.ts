/** The system clock may be changed during the wait, so the clock is checked again at this interval. */
const LOOK_AGAIN_MS = 60_000;

/** Resolves at the given time, or when the signal is aborted. */
export async function waitUntil(untilMs: number, now: () => number, signal: AbortSignal): Promise<void> {
  for (let left = untilMs - now(); left > 0 && !signal.aborted; left = untilMs - now()) {
    const pause = Math.min(left, LOOK_AGAIN_MS);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, pause);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      }
      signal.addEventListener("abort", done, { once: true });
    });
  }
}
