import type { Capability, Phase } from "@claw/contract";
import { isTerminalPhase } from "@claw/contract";
import type { Subscription } from "./subscription.ts";
import type { Connection } from "./transport.ts";

export type Role = "orchestrator" | "worker" | "observer";

export const isRole = (value: unknown): value is Role =>
  value === "orchestrator" || value === "worker" || value === "observer";

/** State of a worker, from the worker's own events. The bus refuses events that do not fit the state. */
export interface WorkerRecord {
  readonly phase: Phase | null;
  readonly booted: boolean;
  readonly completed: boolean;
  /** Whether the worker published an event of severity `fatal`. */
  readonly fatal: boolean;
  /** A phase that the worker may enter once although the phase table forbids it. */
  readonly permitted: Phase | null;
  /** The peer that the worker works for, as its `boot` event says. */
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

/** Whether the worker's work has ended: completed, fatal, or in a terminal phase. */
export const hasEnded = ({ completed, fatal, phase }: WorkerRecord): boolean =>
  completed || fatal || (phase !== null && isTerminalPhase(phase));

/** A client that has said hello. */
export interface Peer {
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly connection: Connection;
  /** Additions to the old wire that the client asked for in its hello. */
  capabilities: ReadonlySet<Capability>;
  /** Terminal that the peer runs in. Texts for the peer are typed there. */
  readonly terminalId: string | undefined;
  waveId: string | undefined;
  waveRole: string | undefined;
  /** Id of the purpose for which the peer was started. No other connected peer has the same id. */
  readonly correlationId: string | undefined;
  /** Correlation id that the peer monitors. */
  readonly monitorOf: string | undefined;
  /** Whether joining and leaving are pushed to live subscriptions only, and not stored in the log. */
  readonly transient: boolean;
  /** Whether the client can come back under the same peer id. */
  readonly returns: boolean;
  /** Another name that the peer publishes under, as older workers do. */
  alias: string | undefined;
  readonly subscriptions: Map<string, Subscription>;
  readonly joinedAt: number;
  /** Id of the client's life. A client that comes back with a resume token continues its life. */
  readonly bootId: string;
  worker: WorkerRecord;
  /** Whether the worker published `boot` on this connection. */
  booted: boolean;
  /** The peer that this peer works for, from the latest envelope with a parent. */
  parentId: string | undefined;
  /** Number of events that change `worker` and are still being stored. */
  moving: number;
  lastSeen: number;
  stale: boolean;
  /** Notices since the last heartbeat that the peer missed because its connection was congested. */
  missedNotices: number;
}
