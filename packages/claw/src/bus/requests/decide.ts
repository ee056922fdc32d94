import type { EventProblem } from "claw-contract/schemas";
import { readEvent } from "claw-contract/schemas";
import type { ServerEvent } from "../publish/store-event.ts";
import { appendEvents } from "../publish/store-event.ts";
import type { BusContext } from "../bus-context.ts";
import type { StoredReceipt } from "../publish/dedupe.ts";
import { storageCode, WRITE_FAILED } from "../publish/store-event.ts";
import type { RequestOutcome, Refused } from "./request-handler.ts";
import { error, ok } from "./request-handler.ts";

/** An empty reply, for requests whose success needs no field. */
export type NoFields = Readonly<Record<string, never>>;

/** The decision on a request: the events to store, and the reply once the events are stored. */
export interface RequestDecision<Reply extends object> {
  readonly kind: "decided";
  readonly events: readonly ServerEvent[];
  readonly reply: (receipts: readonly StoredReceipt[]) => Reply;
}

export const decided = <Reply extends object>(
  events: readonly ServerEvent[],
  reply: RequestDecision<Reply>["reply"],
): RequestDecision<Reply> => ({ kind: "decided", events, reply });

export const NO_FIELDS = (): NoFields => ({});

export interface RequestDecisionOptions<Reply extends object> {
  /** Requests with the same key are decided one after the other. */
  readonly key: string;
  readonly decide: () => RequestDecision<Reply> | Refused;
}

/** Decides on the stored state, stores the resulting events, then answers. */
export function decideAndStore<Reply extends object>(
  context: BusContext,
  { key, decide }: RequestDecisionOptions<Reply>,
  done: (outcome: RequestOutcome<Reply>) => void,
): void {
  const taken = context.serial.run(key, (release) => {
    const decision = decide();
    if (decision.kind === "error") {
      release();
      return done(decision);
    }
    return appendEvents(context, decision.events, (outcome) => {
      const result = outcome instanceof Error ? error(WRITE_FAILED, storageCode(outcome)) : ok(decision.reply(outcome));
      release();
      done(result);
    });
  });
  if (!taken) done(error("admission-control:backlog"));
}

/** What is wrong with an event the server is about to store for a client; undefined when nothing is. */
function problemsOf({ topic, payload }: ServerEvent): readonly EventProblem[] | undefined {
  const reading = readEvent(topic, payload);
  return reading.ok || reading.reason !== "malformed" ? undefined : reading.problems;
}

/** Decides to store one event. Refuses when the event does not fit its schema. */
export function decideEvent(event: ServerEvent): RequestDecision<NoFields> | Refused {
  const details = problemsOf(event);
  return details === undefined ? decided([event], NO_FIELDS) : error("payload:invalid", { details });
}
