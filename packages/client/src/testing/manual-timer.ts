import type { Timer } from "../platform.ts";

export interface ManualTimer extends Timer {
  /** Lets time pass and runs what is due, in order. */
  advance(ms: number): void;
  /** How many things wait for their time. */
  waiting(): number;
}

/** Time that passes only when told to. Chance is always a half. */
export function createManualTimer(): ManualTimer {
  let now = Date.parse("2026-01-01T00:00:00.000Z");
  const due = new Set<{ readonly at: number; readonly run: () => void }>();
  const step = (until: number): boolean => {
    const [first] = [...due].filter(({ at }) => at <= until).sort((left, right) => left.at - right.at);
    if (first === undefined) return false;
    now = Math.max(now, first.at);
    due.delete(first);
    first.run();
    return true;
  };
  return {
    now: () => now,
    random: () => 0.5,
    after: (ms, run) => {
      const entry = { at: now + ms, run };
      due.add(entry);
      return () => due.delete(entry);
    },
    advance: (ms) => {
      const until = now + ms;
      while (step(until));
      now = until;
    },
    waiting: () => due.size,
  };
}
