import type { Phase } from "@claw/contract";
import type { Subscription } from "./subscription.ts";
import type { Connection } from "./transport.ts";

export type Role = "orchestrator" | "worker" | "observer";

/** Additions to the old wire that a client asked for in its hello. */
export type Capability = "receipts" | "gap";

export const CAPABILITIES: readonly Capability[] = ["receipts", "gap"];

/** What a worker has said of itself; the server holds it to that. */
export interface WorkerRecord {
  readonly phase: Phase | null;
  readonly booted: boolean;
  /** Set by `complete`, a fatal error or a terminal phase. */
  readonly ended: boolean;
  /** A phase the next transition may go to although the table forbids it. */
  readonly permitted: Phase | null;
}

export const NEW_WORKER: WorkerRecord = { phase: null, booted: false, ended: false, permitted: null };

/** A client that introduced itself. */
export interface Peer {
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly connection: Connection;
  readonly capabilities: ReadonlySet<Capability>;
  readonly subscriptions: Map<string, Subscription>;
  readonly joinedAt: number;
  worker: WorkerRecord;
  lastSeen: number;
  stale: boolean;
}
