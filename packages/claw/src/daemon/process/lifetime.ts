/** Work that runs beside the bus and has to end before the daemon ends. */
export interface Lifetime {
  /** Aborted when the daemon stops. */
  readonly signal: AbortSignal;
  /** The daemon's end waits for this work. The promise may reject. */
  hold(work: Promise<unknown>): void;
  /** Aborts `signal` and resolves when all held work has ended. Idempotent. */
  end(): Promise<void>;
}

export function createLifetime(): Lifetime {
  const controller = new AbortController();
  const held = new Set<Promise<unknown>>();
  return {
    signal: controller.signal,
    hold: (work) => {
      const over: Promise<unknown> = work.then(
        () => held.delete(over),
        () => held.delete(over),
      );
      held.add(over);
    },
    end: async () => {
      controller.abort();
      await Promise.all(held);
    },
  };
}
