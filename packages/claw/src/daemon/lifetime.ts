/** What goes on beside the bus, and has to be over before the daemon is. */
export interface Lifetime {
  /** Aborted when the daemon stops. */
  readonly signal: AbortSignal;
  /** The daemon's end waits for it. It may fail. */
  hold(work: Promise<unknown>): void;
  /** Says that everything has to end, and resolves when it has. Idempotent. */
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
