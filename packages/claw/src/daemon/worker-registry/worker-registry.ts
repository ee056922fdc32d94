import type { WorkerLife } from "claw-contract";
import { FIRST_LIFE, hasLifeEnded, LIFE_TOPICS, LIMITS, nonEmptyText } from "claw-contract";
import type { WorkerSpawned } from "claw-contract/schemas";
import type { CommittedEvent, StoredProjection } from "../../bus/index.ts";
import { fieldsOf } from "../../bus/index.ts";
import { changeOf, subjectsOf } from "./registry-change.ts";

/** A worker of this workspace, started by the daemon or connected without a start by the daemon. */
export interface RegisteredWorker {
  readonly peerId: string;
  readonly name: string;
  /** The worker's last start; null for a worker that the daemon did not start. */
  readonly spawned: WorkerSpawned | null;
  /** ISO time of the worker's first start or first hello. */
  readonly since: string;
  /** Terminal the worker runs in: named by the worker, or assigned at its start. */
  readonly terminalId: string | null;
  /** The life, by its boot id, whose agent was given a terminal last. */
  readonly terminalOf?: string;
  /** Peer the worker works for. */
  readonly parentId: string | null;
  /** Capabilities from the worker's `boot` event. */
  readonly capabilities: readonly string[];
  /** State of the worktree after the worker's end; null before the daemon has looked at the worktree. */
  readonly worktree?: "kept" | "cleared" | null;
  /** Whether tear-down commands were run in a worktree that stays. */
  readonly tornDown?: boolean;
  /** The worker's current or last life: whether the worker lives, and how it ended. */
  readonly life: WorkerLife;
}

/** A life of a worker before and after an event. */
export interface LifeChange {
  readonly peerId: string;
  readonly before: WorkerLife;
  readonly after: WorkerLife;
}

/** A process of a worker that is not known to have ended. */
export interface WorkerProcess {
  readonly peerId: string;
  readonly bootId: string;
  readonly pid: number | null;
  readonly folder: string;
  /** Whether the worker has reported the end of its work. */
  readonly hasReported: boolean;
}

/** The registry of all workers, oldest first. The registry alone decides whether a worker lives. */
export interface WorkerRegistry {
  readonly memory: StoredProjection;
  get(peerId: string): RegisteredWorker | undefined;
  /** Finds a worker by peer id, or by name: then the newest that has not ended, or else the newest. */
  find(idOrName: string): RegisteredWorker | undefined;
  all(): readonly RegisteredWorker[];
  /** The life of a worker; a life without any event for an unknown worker. */
  lifeOf(peerId: string): WorkerLife;
  /**
   * The lives that an event changed, for memories and reactions that take in the same event. The registry takes in each
   * event first, and forgets the changes with the next event.
   */
  changesBy(event: Pick<CommittedEvent, "sequence">): readonly LifeChange[];
  /** The process of a worker, unless the process is known to have ended. */
  readonly processOf: (peerId: string) => WorkerProcess | undefined;
  processes(): readonly WorkerProcess[];
}

const PATTERNS = [
  ...LIFE_TOPICS,
  "system.worker.removed",
  "system.worker.cleared",
  "system.worker.kept",
  "vehicle.*.state",
];

/**
 * Whether a life may change with an event, by the event's text. Most events and heartbeats of workers end nothing, and
 * they are the most frequent of all.
 */
const mayChangeLife: NonNullable<StoredProjection["wants"]> = ({ topic, payload }) =>
  !(topic.startsWith("worker.") && (topic.endsWith(".event") || topic.endsWith(".heartbeat"))) ||
  payload?.includes('fatal"') === true;

const newWorker = (peerId: string, since: string): RegisteredWorker => ({
  peerId,
  name: peerId,
  spawned: null,
  since,
  terminalId: null,
  parentId: null,
  capabilities: [],
  life: FIRST_LIFE,
});

function processIn({ peerId, spawned, life }: RegisteredWorker): WorkerProcess | undefined {
  const folder = nonEmptyText(spawned?.folder);
  if (life.process !== "alive" || folder === undefined) return undefined;
  return { peerId, bootId: life.bootId, pid: life.pid, folder, hasReported: hasLifeEnded(life) };
}

/** The workers, built from the events of the log. */
class Book {
  readonly workers = new Map<string, RegisteredWorker>();
  changes: readonly LifeChange[] = [];
  sequence = -1;

  apply(event: CommittedEvent): void {
    const fields = fieldsOf(event.payload);
    this.sequence = event.sequence;
    this.changes = [];
    for (const id of subjectsOf(event, fields, this.workers)) {
      const known = this.workers.get(id);
      const change = changeOf(event, fields, known);
      if (change === "removed") this.workers.delete(id);
      else if (change !== undefined) this.#put({ ...(known ?? newWorker(id, event.tsServer)), ...change });
    }
  }

  #put(worker: RegisteredWorker): void {
    const { peerId, life } = worker;
    const before = this.workers.get(peerId)?.life ?? FIRST_LIFE;
    this.workers.set(peerId, worker);
    if (life === before) return;
    this.changes = [...this.changes, { peerId, before, after: life }];
    if (hasLifeEnded(life)) this.#forgetEnded();
  }

  /** A worker whose process may still run is not forgotten. */
  #forgetEnded(): void {
    const ended = [...this.workers.values()].filter(({ life }) => hasLifeEnded(life) && life.process !== "alive");
    const tooMany = Math.max(0, ended.length - LIMITS.endedWorkers);
    for (const { peerId } of ended.slice(0, tooMany)) this.workers.delete(peerId);
  }
}

export function createWorkerRegistry(): WorkerRegistry {
  const book = new Book();
  const { workers } = book;
  const all = (): RegisteredWorker[] => [...workers.values()];
  return {
    memory: {
      patterns: PATTERNS,
      logEntries: "ignored",
      wants: mayChangeLife,
      apply: (event) => book.apply(event),
      save: () => [...workers],
      load: (saved) => {
        for (const [id, worker] of saved as readonly [string, RegisteredWorker][]) workers.set(id, worker);
      },
    },
    get: (peerId) => workers.get(peerId),
    all,
    find: (idOrName) => {
      const named = all().filter(({ name }) => name === idOrName);
      return workers.get(idOrName) ?? named.findLast(({ life }) => !hasLifeEnded(life)) ?? named.at(-1);
    },
    lifeOf: (peerId) => workers.get(peerId)?.life ?? FIRST_LIFE,
    changesBy: ({ sequence }) => (sequence === book.sequence ? book.changes : []),
    processOf: (peerId) => {
      const worker = workers.get(peerId);
      return worker === undefined ? undefined : processIn(worker);
    },
    processes: () => all().flatMap((worker) => processIn(worker) ?? []),
  };
}
