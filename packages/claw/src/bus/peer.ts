import type { Phase } from "@claw/contract";
import { isTerminalPhase } from "@claw/contract";
import type { Subscription } from "./subscription.ts";
import type { Connection } from "./transport.ts";

export type Role = "orchestrator" | "worker" | "observer";

export const isRole = (value: unknown): value is Role =>
  value === "orchestrator" || value === "worker" || value === "observer";

/** Additions to the old wire that a client asked for in its hello. */
export type Capability = "receipts" | "gap" | "durable" | "resume" | "transient" | "heartbeat";

export const CAPABILITIES: readonly Capability[] = ["receipts", "gap", "durable", "resume", "transient", "heartbeat"];

/** What a worker has said of itself; the server holds it to that. */
export interface WorkerRecord {
  readonly phase: Phase | null;
  readonly booted: boolean;
  readonly completed: boolean;
  /** Whether it said that it is going down. */
  readonly fatal: boolean;
  /** A phase it may enter once although the table forbids it. */
  readonly permitted: Phase | null;
  /** The peer it works for, by its own word. */
  readonly parentId: string | null;
}

export const NEW_WORKER: WorkerRecord = {
  phase: null,
  booted: false,
  completed: false,
  fatal: false,
  permitted: null,
  parentId: null,
};

/** Whether nothing more is to be expected of a worker. */
export const hasEnded = ({ completed, fatal, phase }: WorkerRecord): boolean =>
  completed || fatal || (phase !== null && isTerminalPhase(phase));

/** A client that introduced itself. */
export interface Peer {
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly connection: Connection;
  capabilities: ReadonlySet<Capability>;
  /** Terminal it runs in, where texts for it are typed. */
  readonly terminalId: string | undefined;
  waveId: string | undefined;
  waveRole: string | undefined;
  /** What it was started for; nobody else connected has the same. */
  readonly correlationId: string | undefined;
  /** Whose monitor it is. */
  readonly monitorOf: string | undefined;
  /** Whether its coming and going are told to who listens, and not written down. */
  readonly transient: boolean;
  /** Whether it can come back under the same id. */
  readonly returns: boolean;
  /** Another name that it publishes under, as older workers do. */
  alias: string | undefined;
  readonly subscriptions: Map<string, Subscription>;
  readonly joinedAt: number;
  /** One life of the client; coming back with a resume token continues it. */
  readonly bootId: string;
  worker: WorkerRecord;
  /** Whether it said `boot` on this connection. */
  booted: boolean;
  /** The peer it works for, by the last envelope that named one. */
  parentId: string | undefined;
  /** Events on their way into the log that change `worker`. */
  moving: number;
  lastSeen: number;
  stale: boolean;
  /** Notices since the last beat that it missed because it did not keep up. */
  missedNotices: number;
}
