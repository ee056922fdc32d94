import { LIMITS } from "@claw/contract";
import type { WorkerSpawned } from "@claw/contract/schemas";
import type { StoredProjection } from "../../bus/index.ts";
import { fieldsOf } from "../../bus/index.ts";
import { changeOf, subjectsOf } from "./fleet-change.ts";

/** A worker of this workspace, started by the daemon or connected without a start by the daemon. */
export interface FleetWorker {
  readonly peerId: string;
  readonly name: string;
  /** The worker's last start; null for a worker that the daemon did not start. */
  readonly spawned: WorkerSpawned | null;
  /** ISO time of the worker's first start or first hello. */
  readonly since: string;
  /** Terminal the worker runs in: named by the worker, or assigned at its start. */
  readonly terminalId: string | null;
  /** The life, by its boot id, whose agent was given a terminal last. Records of older versions have none. */
  readonly terminalOf?: string;
  /** Peer the worker works for. */
  readonly parentId: string | null;
  /** Capabilities from the worker's `boot` event. */
  readonly capabilities: readonly string[];
  /**
   * Whether the worker's process ended before a report, and no process of the worker runs now. The worker may be
   * started anew.
   */
  readonly crashed?: boolean;
  /** Whether the worker was told to stop. A worker that crashes afterwards is not started anew. */
  readonly stopping?: boolean;
  /** State of the worktree after the worker's end; null before the daemon has looked at the worktree. */
  readonly worktree?: "kept" | "cleared" | null;
  /** Whether tear-down commands were run in a worktree that stays. */
  readonly tornDown?: boolean;
  /** Whether the worker reported its end, or its process is gone and only a person can have it started anew. */
  readonly ended: boolean;
}

/** The registry of workers, oldest first. */
export interface Fleet {
  readonly memory: StoredProjection;
  get(peerId: string): FleetWorker | undefined;
  /** Finds a worker by peer id, or by name: then the newest that has not ended, or else the newest. */
  find(idOrName: string): FleetWorker | undefined;
  all(): readonly FleetWorker[];
}

const PATTERNS = [
  "system.worker.spawned",
  "system.worker.terminated",
  "system.peer.joined",
  "worker.*.boot",
  "system.worker.alert",
  "system.worker.removed",
  "system.worker.cleared",
  "system.worker.kept",
  "worker.*.complete",
  "vehicle.*.state",
  "cmd.*.abort",
  "cmd.role.worker",
];

const blank = (peerId: string, since: string): FleetWorker => ({
  peerId,
  name: peerId,
  spawned: null,
  since,
  terminalId: null,
  parentId: null,
  capabilities: [],
  ended: false,
});

export function createFleet(): Fleet {
  const workers = new Map<string, FleetWorker>();
  const put = (peerId: string, since: string, change: Partial<FleetWorker>): void => {
    workers.set(peerId, { ...(workers.get(peerId) ?? blank(peerId, since)), ...change });
    const ended = [...workers.values()].filter((worker) => worker.ended);
    const tooMany = Math.max(0, ended.length - LIMITS.endedWorkers);
    for (const { peerId: oldest } of ended.slice(0, tooMany)) workers.delete(oldest);
  };
  const all = (): FleetWorker[] => [...workers.values()];
  return {
    memory: {
      patterns: PATTERNS,
      apply: (event) => {
        const fields = fieldsOf(event.payload);
        for (const id of subjectsOf(event, fields, [...workers.keys()])) {
          const change = changeOf(event.topic, fields, workers.get(id));
          if (change === "removed") workers.delete(id);
          else if (change !== undefined) put(id, event.tsServer, change);
        }
      },
      save: () => [...workers],
      load: (saved) => {
        for (const [id, worker] of saved as readonly [string, FleetWorker][]) workers.set(id, worker);
      },
    },
    get: (peerId) => workers.get(peerId),
    all,
    find: (idOrName) => {
      const named = all().filter(({ name }) => name === idOrName);
      return workers.get(idOrName) ?? named.findLast(({ ended }) => !ended) ?? named.at(-1);
    },
  };
}
