import type { TroubleFact, TroubleRecord } from "@claw/contract";
import { LIMITS, NO_TROUBLE, reduceTrouble } from "@claw/contract";
import type { StoredProjection } from "../../bus/index.ts";
import { readTrouble, TROUBLE_TOPICS } from "./read-trouble.ts";

/** What the log tells of workers in trouble. */
export interface TroubleMemory extends StoredProjection {
  get(peerId: string): TroubleRecord | undefined;
  /** Those that something is to be done about, or was. */
  open(): readonly string[];
}

export function createTroubleMemory(): TroubleMemory {
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
