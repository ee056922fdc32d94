/** How long to wait for events of another machine that are on their way. */
const PATIENCE_MS = 5000;

/** Waits for places in the log. */
export interface Passage {
  /** Told of each event that the state has taken in. */
  reached(sequence: number): void;
  /** Resolves when the state includes a place and subscribers have got it; also after a patient while without it. */
  whenPassed(sequence: number): Promise<void>;
}

export function createPassage(through: () => number): Passage {
  const waiting = new Set<{ readonly sequence: number; readonly resolve: () => void }>();
  return {
    reached: (sequence) => {
      if (waiting.size === 0) return;
      for (const wait of waiting) if (wait.sequence <= sequence) wait.resolve();
    },
    whenPassed: async (sequence) => {
      if (through() >= sequence) return;
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(wait);
          resolve();
        };
        const wait = { sequence, resolve: end };
        const timer = setTimeout(end, PATIENCE_MS);
        waiting.add(wait);
      });
    },
  };
}
