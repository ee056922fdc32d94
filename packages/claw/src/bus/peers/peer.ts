import type { Capability, Phase, WireRole, WorkerLife } from "claw-contract";
import { FIRST_LIFE, isOver } from "claw-contract";
import type { LEAVE_REASONS } from "claw-contract/schemas";
import type { PeerSubscription } from "../delivery/subscription.ts";
import type { TransportConnection } from "../transports/transport.ts";

export const isRole = (value: unknown): value is WireRole =>
  value === "orchestrator" || value === "worker" || value === "observer";

/** How far a worker has come, from the worker's own events. The bus refuses events that do not fit the progress. */
export interface WorkerProgress {
  readonly phase: Phase | null;
  readonly life: WorkerLife;
  /** A phase that the worker may enter once although the phase table forbids it. */
  readonly permitted: Phase | null;
  /** The peer that the worker works for, as its `boot` event says. */
  readonly parentId: string | null;
}

export const NEW_WORKER: WorkerProgress = {
  phase: null,
  life: FIRST_LIFE,
  permitted: null,
  parentId: null,
};

/** Whether the worker's work has ended: completed, fatal, or in a terminal phase. */
export const hasPeerEnded = ({ life }: WorkerProgress): boolean => isOver(life);

/** A client that has said hello. */
export interface Peer {
  readonly id: string;
  readonly role: WireRole;
  readonly name: string;
  readonly connection: TransportConnection;
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
  /**
   * Id of the worker whose tool the peer is. What the peer says counts as said by that worker, and the peer is no worker
   * itself.
   */
  readonly speaksFor: string | undefined;
  /** Whether the client can come back under the same peer id. */
  readonly returns: boolean;
  /** Another name that the peer publishes under, as older workers do. */
  alias: string | undefined;
  readonly subscriptions: Map<string, PeerSubscription>;
  readonly joinedAt: number;
  /** Id of the client's life. A client that comes back with a resume token continues its life. */
  readonly bootId: string;
  worker: WorkerProgress;
  /** Whether the worker published `boot` on this connection. */
  booted: boolean;
  /** The peer that this peer works for, from the latest envelope with a parent. */
  parentId: string | undefined;
  /** Number of events that change `worker` and are still being stored. */
  moving: number;
  lastSeen: number;
  stale: boolean;
  /**
   * Id of the event that the log could not take for now. A client with the capability `spool` sends it again before all
   * later ones.
   */
  owed: string | undefined;
  /** Notices since the last heartbeat that the peer missed because its connection was congested. */
  missedNotices: number;
}

/** The id under which a peer speaks. */
export const speakerOf = ({ id, speaksFor }: Pick<Peer, "id" | "speaksFor">): string => speaksFor ?? id;

type LeaveReason = (typeof LEAVE_REASONS)[number];

/** Why a peer left. A worker whose work has ended, and a peer that is no worker, leave `clean` in any case. */
export function leaveReason(
  role: string,
  worker: WorkerProgress,
  otherwise: Exclude<LeaveReason, "clean">,
): LeaveReason {
  return role === "worker" && !hasPeerEnded(worker) ? otherwise : "clean";
}
