import type { EventProblem } from "@claw/contract/schemas";
import { readEvent } from "@claw/contract/schemas";
import type { ServerEvent } from "../publish/append-events.ts";
import { appendEvents } from "../publish/append-events.ts";
import type { BusContext } from "../bus-context.ts";
import type { Receipt } from "../publish/dedupe.ts";
import { storageCode, WRITE_FAILED } from "../publish/write-failed.ts";
import type { Body, CommandResult } from "./command.ts";
import { error, ok } from "./command.ts";

/** Outcome of a request: the events to store, and the answer once the events are stored. */
export interface Decision {
  readonly kind: "decided";
  readonly events: readonly ServerEvent[];
  readonly body: (receipts: readonly Receipt[]) => Body;
}

type Refused = Extract<CommandResult, { kind: "error" }>;

export const decided = (events: readonly ServerEvent[], body: Decision["body"] = () => ({})): Decision => ({
  kind: "decided",
  events,
  body,
});

/** Like `error`, for use in a decision. */
export const refuse = (text: string, more?: Body): Refused => error(text, more) as Refused;

export interface DecideOptions {
  /** Requests with the same key are decided one after the other. */
  readonly key: string;
  readonly decide: () => Decision | Refused;
}

/** Decides on the stored state, stores the resulting events, then answers. */
export function decideAndStore(
  context: BusContext,
  { key, decide }: DecideOptions,
  done: (result: CommandResult) => void,
): void {
  const taken = context.serial.run(key, (release) => {
    const decision = decide();
    if (decision.kind === "error") {
      release();
      return done(decision);
    }
    return appendEvents(context, decision.events, (outcome) => {
      const result = outcome instanceof Error ? error(WRITE_FAILED, storageCode(outcome)) : ok(decision.body(outcome));
      release();
      done(result);
    });
  });
  if (!taken) done(error("admission-control:backlog"));
}

/** What is wrong with an event the server is about to store for a client; undefined when nothing is. */
export function problemsOf({ topic, payload }: ServerEvent): readonly EventProblem[] | undefined {
  const reading = readEvent(topic, payload);
  return reading.ok || reading.reason !== "malformed" ? undefined : reading.problems;
}

/** Decides to store one event. Refuses when the event does not fit its schema. */
export function decideEvent(event: ServerEvent, body: Decision["body"] = () => ({})): Decision | Refused {
  const details = problemsOf(event);
  return details === undefined ? decided([event], body) : refuse("payload:invalid", { details });
}
