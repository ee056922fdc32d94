import type { BusItem } from "./bus-item.ts";
import type { Subscription } from "./subscription.ts";

type Arrival = { readonly source: Subscription } & (
  | { readonly result: IteratorResult<BusItem, undefined> }
  | { readonly error: unknown }
);

/**
 * What the sources have given, in the order in which it came. One item of each is under way at a time: a quiet source
 * is asked once, however busy the others are.
 */
function createArrivals() {
  const arrived: Arrival[] = [];
  let wake = (): void => undefined;
  const add = (arrival: Arrival): void => {
    arrived.push(arrival);
    wake();
  };
  return {
    ask: (source: Subscription): void =>
      void source.next().then(
        (result) => add({ source, result }),
        (error: unknown) => add({ source, error }),
      ),
    take: async (): Promise<Arrival> => {
      for (;;) {
        const first = arrived.shift();
        if (first !== undefined) return first;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Items of several subscriptions as they come. Ends when all have ended; leaving it ends them. */
export async function* mergeSubscriptions(sources: readonly Subscription[]): AsyncGenerator<BusItem, undefined> {
  const arrivals = createArrivals();
  try {
    for (const source of sources) arrivals.ask(source);
    for (let open = sources.length; open > 0;) {
      const arrival = await arrivals.take();
      if ("error" in arrival) throw arrival.error;
      if (arrival.result.done === true) open -= 1;
      else {
        arrivals.ask(arrival.source);
        yield arrival.result.value;
      }
    }
  } finally {
    for (const source of sources) source.close();
  }
  return undefined;
}
