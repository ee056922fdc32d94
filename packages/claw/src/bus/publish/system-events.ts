import type { Store } from "./store-event.ts";
import { store } from "./store-event.ts";

/** Publishes an event of the server. The loss of an event that cannot be stored is reported in the daemon's own log. */
export function publishSystem(context: Store, topic: string, payload: Readonly<Record<string, unknown>>): void {
  store(context, { topic, from: "server", payload: JSON.stringify(payload), echo: false }, (outcome) => {
    if (outcome instanceof Error) context.report(`${topic} was not stored: ${outcome.message}`);
  });
}
