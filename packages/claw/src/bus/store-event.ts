import type { BusContext } from "./bus-context.ts";
import type { Receipt } from "./dedupe.ts";
import { deliver } from "./deliver.ts";

export interface StoreRequest {
  readonly topic: string;
  readonly from: string;
  readonly payload: string | undefined;
  readonly echo: boolean;
}

/** Appends, and delivers once it is committed. */
export function store(context: BusContext, request: StoreRequest, done: (outcome: Receipt | Error) => void): void {
  const { topic, from, payload, echo } = request;
  const tsServer = context.timestamp();
  context.log.append(
    { topic, from, payload, tsServer },
    {
      committed: (sequence) => {
        const event = { topic, from, payload, tsServer, sequence };
        context.projections.apply(event, true);
        const deliveredTo = deliver(context, { event, echo });
        done({ sequence, deliveredTo });
      },
      failed: done,
    },
  );
}
