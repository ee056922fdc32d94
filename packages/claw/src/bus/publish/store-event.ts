import type { BusContext } from "../bus-context.ts";
import type { Receipt } from "./dedupe.ts";
import { deliver } from "../delivery/deliver.ts";

export interface StoreRequest {
  readonly topic: string;
  readonly from: string;
  readonly payload: string | undefined;
  readonly echo: boolean;
}

function attempt(context: BusContext, topic: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    context.report(
      `${topic} was stored, then failed: ${error instanceof Error ? (error.stack ?? error.message) : typeof error}`,
    );
  }
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
        // An error in the consequences of one event must not stop the delivery of the next.
        attempt(context, topic, () => context.projections.apply(event, true));
        const deliveredTo = deliver(context, { event, echo });
        attempt(context, topic, () => done({ sequence, deliveredTo }));
      },
      failed: (error) => attempt(context, topic, () => done(error)),
    },
  );
}
