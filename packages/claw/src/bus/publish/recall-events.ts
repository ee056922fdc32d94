import { schemaForTopic } from "claw-contract/schemas";
import type { Dedupe } from "./dedupe.ts";
import type { StoredEvent } from "../log/index.ts";
import { unseal, unsealOther } from "./seal.ts";

/** Most topics whose kind is remembered. Every worker has separate topics. */
const REMEMBERED_TOPICS = 10_000;

/** Remembers events of the log, so that one sent again after a restart is recognised. */
export function createRecall(dedupe: Dedupe): (event: StoredEvent) => void {
  const registered = new Map<string, boolean>();
  const isRegistered = (topic: string): boolean => {
    const known = registered.get(topic);
    if (known !== undefined) return known;
    const found = schemaForTopic(topic) !== undefined;
    if (registered.size >= REMEMBERED_TOPICS) registered.clear();
    registered.set(topic, found);
    return found;
  };
  return ({ topic, from, payload, sequence }) => {
    if (from === "server" || payload === undefined) return;
    const sealed = isRegistered(topic) ? unseal(payload) : unsealOther(payload);
    if (sealed !== undefined) dedupe.recall(from, sealed.id, { bodies: sealed.bodies, sequence });
  };
}
