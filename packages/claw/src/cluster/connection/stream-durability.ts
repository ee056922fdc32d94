import { isOlder, LEADS_SINCE } from "./server-version.ts";
import { askSyncMode } from "./sync-mode.ts";

/** What decides whether an acknowledged event survives a power cut. */
export interface DurabilityFacts {
  /** Servers that keep each event. */
  readonly replicas: number;
  /** Version of the server that the connection leads to. */
  readonly version: string;
  /** The operator's word that no power cut hits a majority of the servers at once. */
  readonly separateMachines: boolean;
  /** Monitoring address of a server, which says whether it syncs each event. */
  readonly monitoring: string | undefined;
}

const MAJORITY_OF = 3;

/** What an acknowledgement means, and why. */
export interface KnownDurability {
  readonly durability: "strict" | "relaxed";
  /** For people. */
  readonly why: string;
}

const relaxed = (why: string): KnownDurability => ({ durability: "relaxed", why });

/**
 * `strict` where each acknowledgement is synced, or kept by a majority of servers that the operator declared separate;
 * otherwise `relaxed`: JetStream acknowledges before it syncs. Several servers of an older version are `relaxed`, because
 * a new leader may not have what was acknowledged. Never rejects.
 */
export async function findDurability(facts: DurabilityFacts): Promise<KnownDurability> {
  const { replicas, version, separateMachines, monitoring } = facts;
  const isReplicated = separateMachines && replicas >= MAJORITY_OF;
  const canDiffer = replicas > 1 && isOlder(version, LEADS_SINCE);
  if (canDiffer) return relaxed(`nats-server ${version} may lose events when the leader of its servers changes`);
  if (isReplicated) return { durability: "strict", why: `${replicas} servers on separate machines keep each event` };
  if (monitoring === undefined) return relaxed("NATS acknowledges an event before it is synced to disk");
  const mode = await askSyncMode(monitoring);
  if (mode.kind === "always") return { durability: "strict", why: "NATS syncs each event before it acknowledges it" };
  return relaxed(mode.kind === "interval" ? `NATS syncs events every ${mode.intervalMs / 1000} s` : mode.reason);
}

/** What an acknowledgement means. Never rejects. */
export const streamDurability = async (facts: DurabilityFacts): Promise<"strict" | "relaxed"> =>
  (await findDurability(facts)).durability;
