import { LIMITS } from "@claw/contract";
import type { WorkerSpawned } from "@claw/contract/schemas";
import type { StoredProjection } from "../../bus/index.ts";
import { fieldsOf, idOf, textOf } from "../../bus/index.ts";

/** A worker of this workspace, started by us or come by itself. */
export interface FleetWorker {
  readonly peerId: string;
  readonly name: string;
  /** How it was last started; null for one that came by itself. */
  readonly spawned: WorkerSpawned | null;
  /** ISO time of its first start or its first hello. */
  readonly since: string;
  /** Terminal it runs in, by its own word or because it was started there. */
  readonly terminalId: string | null;
  /** The life, by its boot id, whose agent was given a terminal last. Records of older versions have none. */
  readonly terminalOf?: string;
  /** Peer it works for. */
  readonly parentId: string | null;
  /** What its boot says that it can do. */
  readonly capabilities: readonly string[];
  /** Whether it reported its end, or its process is gone for good. */
  readonly ended: boolean;
}

/** Everybody who works here, oldest first. */
export interface Fleet {
  readonly memory: StoredProjection;
  get(peerId: string): FleetWorker | undefined;
  /** By peer id, or by name: then the newest that has not ended, or else the newest. */
  find(idOrName: string): FleetWorker | undefined;
  all(): readonly FleetWorker[];
}

const PATTERNS = [
  "system.worker.spawned",
  "system.worker.terminated",
  "system.peer.joined",
  "worker.*.boot",
  "worker.*.complete",
  "vehicle.*.state",
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
      apply: ({ topic, from, payload, tsServer }) => {
        const fields = fieldsOf(payload);
        const named = topic.startsWith("vehicle.") ? fields["worker_id"] : fields["peerId"];
        const id = topic.startsWith("worker.") ? topic.split(".")[1] : textOf(named);
        if (id === undefined || (!topic.startsWith("worker.") && from !== "server")) return;
        const change = changeOf(topic, fields, workers.get(id));
        if (change !== undefined) put(id, tsServer, change);
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

/** What an event says of a worker; undefined when nothing, or of somebody else. */
function changeOf(
  topic: string,
  fields: Readonly<Record<string, unknown>>,
  known: FleetWorker | undefined,
): Partial<FleetWorker> | undefined {
  if (topic === "system.worker.spawned") {
    const spawned = fields as unknown as WorkerSpawned;
    return { spawned, name: spawned.name, parentId: spawned.parent_id, ended: false };
  }
  if (topic === "system.peer.joined") {
    if (fields["role"] !== "worker") return undefined;
    const name = known?.spawned?.name ?? textOf(fields["peerName"]);
    const terminalId = idOf(fields["terminalId"]);
    return { ...(name === undefined ? {} : { name }), ...(terminalId === undefined ? {} : { terminalId }) };
  }
  if (topic.startsWith("vehicle.")) {
    const bootId = known?.spawned?.bootId;
    return fields["to"] === "BOOTING" && bootId !== undefined ? { terminalOf: bootId } : undefined;
  }
  if (topic.endsWith(".boot")) {
    const { capabilities, terminal_id: terminal, parent_peer_id: parent } = fields;
    return {
      capabilities: Array.isArray(capabilities) ? capabilities.filter((each) => typeof each === "string") : [],
      terminalId: idOf(terminal) ?? known?.terminalId ?? null,
      // Of one that was started here it is known already, whatever it says.
      parentId: known?.spawned ? known.parentId : (textOf(parent) ?? known?.parentId ?? null),
    };
  }
  if (known === undefined) return undefined;
  return topic.endsWith(".complete") || fields["expected"] === true ? { ended: true } : undefined;
}
