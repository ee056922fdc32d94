import type { Timer } from "../timer.ts";

/** Calls `beat` at an interval. The returned function stops the heartbeat; idempotent. */
export function startHeartbeat(timer: Timer, intervalMs: number, beat: () => void): () => void {
  let cancel: () => void;
  const next = (): void => {
    cancel = timer.after(intervalMs, () => {
      next();
      beat();
    });
  };
  next();
  return () => cancel();
}
