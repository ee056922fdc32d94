import { LIMITS } from "@claw/contract";
import { schemaForTopic } from "@claw/contract/schemas";
import type { Dedupe } from "./dedupe.ts";
import type { EventLog, StoredEvent } from "./log/index.ts";
import { unseal } from "./seal.ts";

function recall(dedupe: Dedupe, { from, payload, sequence }: StoredEvent): void {
  const sealed = payload === undefined ? undefined : unseal(payload);
  if (sealed !== undefined) dedupe.recall(from, sealed.id, { bodies: sealed.bodies, sequence });
}

/** Remembers the newest events of the log, so that one sent again after a restart is recognised. */
export async function recallEvents(log: EventLog, dedupe: Dedupe): Promise<void> {
  const registered = new Map<string, boolean>();
  const isRegistered = (topic: string): boolean => {
    const known = registered.get(topic) ?? schemaForTopic(topic) !== undefined;
    registered.set(topic, known);
    return known;
  };
  for (let after = Math.max(log.oldest() - 1, log.head() - LIMITS.dedupeEntries); ;) {
    const { events, through } = await log.read(after);
    if (events.length === 0) return;
    for (const event of events) if (event.from !== "server" && isRegistered(event.topic)) recall(dedupe, event);
    after = through;
  }
}
