import type { TroubleFact, TroubleRecord } from "claw-contract";
import { endBetween, LIMITS, NO_TROUBLE, reduceTrouble } from "claw-contract";
import type { StoredProjection } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { readTrouble, TROUBLE_TOPICS } from "./read-trouble.ts";

/** Workers in trouble, read from the log. */
export interface TroubleMemory extends StoredProjection {
  get(peerId: string): TroubleRecord | undefined;
  /** Peer ids of workers in trouble, whether a step is still due or was taken. */
  open(): readonly string[];
}

export function createTroubleMemory(registry: Pick<WorkerRegistry, "changesBy">): TroubleMemory {
  const records = new Map<string, TroubleRecord>();
  const tell = (peerId: string, fact: TroubleFact): void => {
    records.set(peerId, reduceTrouble(records.get(peerId) ?? NO_TROUBLE, fact));
    if (records.size <= LIMITS.knownWorkers) return;
    const [oldest] = [...records].find(([, { ended, open }]) => ended || open === null) ?? [];
    if (oldest !== undefined) records.delete(oldest);
  };
  return {
    get: (peerId) => records.get(peerId),
    open: () => [...records].filter(([, { open }]) => open !== null).map(([peerId]) => peerId),
    patterns: TROUBLE_TOPICS,
    apply: (event) => {
      for (const { peerId, before, after } of registry.changesBy(event)) {
        // A worker that published `complete` is in no trouble, also with the result `failed`.
        if (endBetween(before, after)?.by === "complete") tell(peerId, { kind: "ended" });
      }
      const about = readTrouble(event);
      if (about === undefined) return;
      for (const peerId of about.peerId === null ? [...records.keys()] : [about.peerId]) tell(peerId, about.fact);
    },
    save: () => [...records],
    load: (saved) => {
      for (const [peerId, record] of saved as readonly [string, TroubleRecord][]) records.set(peerId, record);
    },
  };
}
