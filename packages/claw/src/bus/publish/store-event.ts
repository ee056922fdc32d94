import type { StoredReceipt } from "./dedupe.ts";
import type { Outlet } from "../delivery/deliver.ts";
import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";
import { deliver } from "../delivery/deliver.ts";

/** The way of an event into the log, into the state, and to its subscribers. */
export interface Store extends Outlet, Pick<Server, "timestamp">, Pick<Knowledge, "projections"> {}

export interface StoreRequest {
  readonly topic: string;
  readonly from: string;
  readonly payload: string | undefined;
  readonly echo: boolean;
  readonly isLogEntry?: boolean;
}

function attempt(context: Pick<Store, "report">, topic: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    context.report(
      `${topic} was stored, then failed: ${error instanceof Error ? (error.stack ?? error.message) : typeof error}`,
    );
  }
}

/** Appends, and delivers once it is committed. */
export function store(context: Store, request: StoreRequest, done: (outcome: StoredReceipt | Error) => void): void {
  const { topic, from, payload, echo, isLogEntry = false } = request;
  const tsServer = context.timestamp();
  context.log.append(
    { topic, from, payload, tsServer },
    {
      committed: (sequence) => {
        const event = { topic, from, payload, tsServer, sequence };
        // An error in the consequences of one event must not stop the delivery of the next.
        attempt(context, topic, () =>
          isLogEntry ? context.projections.applyLogEntry(event) : context.projections.apply(event, true),
        );
        const deliveredTo = deliver(context, { event, echo });
        attempt(context, topic, () => done({ sequence, deliveredTo }));
      },
      failed: (error) => attempt(context, topic, () => done(error)),
    },
  );
}
