import type { BusContext } from "./bus-context.ts";
import { store } from "./store-event.ts";

/** Publishes for the server. What cannot be stored is lost, and said so in the daemon's own log. */
export function publishSystem(context: BusContext, topic: string, payload: Readonly<Record<string, unknown>>): void {
  store(context, { topic, from: "server", payload: JSON.stringify(payload), echo: false }, (outcome) => {
    if (outcome instanceof Error) context.report(`${topic} was not stored: ${outcome.message}`);
  });
}
