import { FIRST_LIFE, isPhase, LIMITS, nextLife, nonEmptyText } from "claw-contract";
import { isEnveloped } from "claw-contract/schemas";
import type { WorkerProgress } from "../peers/peer.ts";
import { hasPeerEnded, NEW_WORKER } from "../peers/peer.ts";
import type { CommittedEvent, StoredProjection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";
import type { OwnWord } from "../publish/worker-gate.ts";
import { moveWorker } from "../publish/worker-gate.ts";
import { refill } from "./projection.ts";

/**
 * The state of workers, from their own events. A worker that comes back continues where it was. The key is the peer id,
 * or the name that an older worker publishes under, since an older worker may connect anew for each event.
 */
export interface PhaseRecords extends StoredProjection {
  /** By peer id or by name. */
  of(name: string): WorkerProgress;
}

const PATTERNS = [
  "worker.*.boot",
  "worker.*.phase",
  "worker.*.event",
  "worker.*.complete",
  "cmd.*.set_phase",
  "cmd.role.worker",
  "system.peer.joined",
  "system.worker.spawned",
];

interface Saved {
  readonly records: readonly [peerId: string, record: WorkerProgress][];
  readonly names: readonly [peerId: string, name: string][];
}

/** Lets a worker, or every one of the role, enter a phase that the order of phases forbids. */
function permitPhase(records: Map<string, WorkerProgress>, named: string, { payload }: CommittedEvent): void {
  const { phase, command } = fieldsOf(payload);
  if (!isPhase(phase) || (named === "role" && command !== "set_phase")) return;
  for (const peerId of named === "role" ? [...records.keys()] : [named]) {
    const record = records.get(peerId);
    if (record !== undefined) records.set(peerId, { ...record, permitted: phase });
  }
}

const wordOf = ({ topic, from, payload, sequence }: CommittedEvent): OwnWord => ({
  topic,
  from,
  data: fieldsOf(payload),
  sequence,
  parentId: isEnveloped(payload) ? payload["parent_id"] : undefined,
});

/**
 * The newest records. Those of workers whose work is over are kept no longer than the list of workers keeps them (bench growth,
 * "memory after a start").
 */
function createNewest() {
  const records = new Map<string, WorkerProgress>();
  /** Peers whose work is over, in the order of their last events. */
  const over = new Set<string>();
  const forget = (peerId: string | undefined): void => {
    if (peerId === undefined) return;
    records.delete(peerId);
    over.delete(peerId);
  };
  return {
    records,
    remember: (peerId: string, record: WorkerProgress): void => {
      forget(peerId);
      records.set(peerId, record);
      if (hasPeerEnded(record)) over.add(peerId);
      if (over.size > LIMITS.endedWorkers) forget(over.keys().next().value);
      if (records.size > LIMITS.knownWorkers) forget(records.keys().next().value);
    },
  };
}

export function createPhaseRecords(): PhaseRecords {
  const { records, remember } = createNewest();
  /** Names that workers publish under instead of their peer id. */
  const names = new Map<string, string>();
  const move = (named: string, event: CommittedEvent): void => {
    const { from } = event;
    if (named !== from && !records.has(from)) return;
    if (named !== from && names.set(from, named).size > LIMITS.knownWorkers) drop(names);
    remember(named, moveWorker(records.get(named) ?? NEW_WORKER, wordOf(event)));
  };
  return {
    patterns: PATTERNS,
    // Most events of a worker change nothing here, and they are the most frequent of all.
    logEntries: "ignored",
    wants: ({ topic, payload }) => !topic.endsWith(".event") || payload?.includes('fatal"') === true,
    apply: (event) => {
      const [family, named = ""] = event.topic.split(".");
      if (family === "worker") return move(named, event);
      if (family === "cmd") return permitPhase(records, names.get(named) ?? named, event);
      const { peerId, role } = fieldsOf(event.payload);
      const id = nonEmptyText(peerId);
      if (event.from !== "server" || id === undefined) return undefined;
      // A worker that is spawned again starts with a new record.
      if (event.topic === "system.worker.spawned") {
        return remember(id, { ...NEW_WORKER, life: nextLife(FIRST_LIFE, wordOf(event)) });
      }
      return role === "worker" ? remember(id, records.get(id) ?? NEW_WORKER) : undefined;
    },
    save: (): Saved => ({ records: [...records], names: [...names] }),
    load: (saved) => {
      for (const [peerId, record] of (saved as Saved).records) remember(peerId, record);
      refill(names, (saved as Saved).names);
    },
    of: (name) => records.get(names.get(name) ?? name) ?? NEW_WORKER,
  };
}

function drop(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
