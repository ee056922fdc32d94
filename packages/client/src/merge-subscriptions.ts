import type { BusItem } from "./bus-item.ts";
import type { Subscription } from "./subscription.ts";

interface Arrival {
  readonly source: Subscription;
  readonly result: IteratorResult<BusItem, undefined>;
}

const arrivalOf = async (source: Subscription): Promise<Arrival> => ({ source, result: await source.next() });

/** Items of several subscriptions as they come. Ends when all have ended; leaving it ends them. */
export async function* mergeSubscriptions(sources: readonly Subscription[]): AsyncGenerator<BusItem, undefined> {
  const pending = new Map(sources.map((source) => [source, arrivalOf(source)]));
  try {
    while (pending.size > 0) {
      const { source, result } = await Promise.race(pending.values());
      if (result.done === true) {
        pending.delete(source);
        continue;
      }
      pending.set(source, arrivalOf(source));
      yield result.value;
    }
  } finally {
    for (const source of sources) source.close();
  }
  return undefined;
}
