import type { EventFact, WorkerRecord } from "claw-contract";
import { LIMITS, newWorker, nonEmptyText, reduceWorker } from "claw-contract";
import type { WorkerStateChanged } from "claw-contract/schemas";
import type { CommittedEvent, StoredEvent, StoredProjection } from "../../../bus/index.ts";
import { fieldsOf, idOf } from "../../../bus/index.ts";

/** The records of all workers, read from the log alone; oldest first. */
export interface WorkerMap {
  readonly memory: StoredProjection;
  get(peerId: string): WorkerRecord | undefined;
  all(): readonly WorkerRecord[];
  /** The last changes of the worker's state, as published; oldest first. */
  changes(peerId: string): readonly WorkerStateChanged[];
  /** The workers that an event is about. */
  subjects(event: CommittedEvent): readonly string[];
}

export const PATTERNS = [
  "worker.*.*",
  "cmd.*.approve",
  "cmd.*.reject",
  "cmd.*.unblock",
  "system.peer.joined",
  "system.peer.left",
  "system.worker.*",
  "system.approval.*",
  "system.command.applied",
  "system.terminal.closed",
];

/** Topics that make a worker known. */
const COMING: ReadonlySet<string> = new Set(["system.peer.joined", "system.worker.spawned"]);

interface Saved {
  readonly workers: readonly [peerId: string, worker: WorkerRecord][];
  readonly changes: readonly [peerId: string, changes: readonly WorkerStateChanged[]][];
  readonly aliases: readonly [peerId: string, name: string][];
}

const factOf = ({ topic, from, payload, sequence, tsServer }: CommittedEvent): EventFact => ({
  kind: "event",
  topic,
  from,
  data: fieldsOf(payload),
  sequence,
  at: Date.parse(tsServer),
});

/** A worker in whose record log entries change nothing but times. Any other event makes another record. */
interface SteadyWorker {
  readonly record: WorkerRecord;
  /** ISO time of the newest log entry that the record does not know yet. */
  lastEntryAt: string | null;
}

class Memory {
  readonly workers = new Map<string, WorkerRecord>();
  readonly changes = new Map<string, readonly WorkerStateChanged[]>();
  /** By peer id, the names that older workers publish under. Older workers may open a new connection for each event. */
  readonly aliases = new Map<string, string>();

  /** By peer id, workers whose newest event is a log entry. */
  readonly #steady = new Map<string, SteadyWorker>();
  /** The log entry that `take` gets as a whole event. */
  #wholeEntry = -1;

  /**
   * Takes in a log entry by its time. False for the first entry after another event: that entry may end a silence, a
   * standstill or a usage limit, so it comes as a whole event. The entries behind it only bring a later time.
   */
  takeLogEntry({ from, tsServer, sequence }: StoredEvent): boolean {
    const worker = this.workers.get(from);
    if (worker === undefined) return true;
    const steady = this.#steady.get(from);
    if (steady?.record !== worker) {
      this.#wholeEntry = sequence;
      return false;
    }
    steady.lastEntryAt = tsServer;
    return true;
  }

  /** The record of a worker, with the time of its newest log entry. */
  get(peerId: string): WorkerRecord | undefined {
    const worker = this.workers.get(peerId);
    const steady = this.#steady.get(peerId);
    if (worker === undefined || steady?.record !== worker || steady.lastEntryAt === null) return worker;
    const at = Date.parse(steady.lastEntryAt);
    const current = { ...worker, lastSeen: at, lastProgress: at };
    this.workers.set(peerId, current);
    this.#steady.set(peerId, { record: current, lastEntryAt: null });
    return current;
  }

  all(): WorkerRecord[] {
    return [...this.workers.keys()].flatMap((peerId) => this.get(peerId) ?? []);
  }

  subjects({ topic, from, payload }: CommittedEvent): readonly string[] {
    const [family, named = ""] = topic.split(".");
    if (family === "worker") return [named];
    if (family === "cmd") return [this.aliases.get(named) ?? named];
    if (from !== "server") return [];
    const { peerId, targetPeerId, terminal_id: closed } = fieldsOf(payload);
    if (topic === "system.terminal.closed") return this.#inTerminal(idOf(closed));
    return [nonEmptyText(peerId) ?? nonEmptyText(targetPeerId)].flatMap((id) => id ?? []);
  }

  #inTerminal(terminalId: string | undefined): string[] {
    const inside = [...this.workers.values()].filter(({ profile }) => profile.terminalId === terminalId);
    return terminalId === undefined ? [] : inside.map(({ peerId }) => peerId);
  }

  take(event: CommittedEvent): void {
    const fact = factOf(event);
    const isRenamed = this.#isRenamed(fact);
    for (const id of this.subjects(event)) {
      const known = this.get(id) ?? (isRenamed ? newWorker(id, fact.at) : this.#welcome(id, fact));
      if (event.topic === "system.worker.removed") this.#drop(id);
      else if (known !== undefined) this.#put(known, reduceWorker(known, fact), fact.sequence);
    }
    if (event.topic === "system.worker.state") this.#noteChange(fact);
  }

  /** A record for a new worker; undefined when the event introduces no worker. */
  #welcome(id: string, { topic, data, at }: EventFact): WorkerRecord | undefined {
    const comes = topic.startsWith("worker.") ? topic.endsWith(".boot") : COMING.has(topic);
    const isOther = topic === "system.peer.joined" && data["role"] !== "worker";
    return comes && !isOther ? newWorker(id, at) : undefined;
  }

  /**
   * An event published under another name counts for the worker of that name. The publishing peer is no second worker.
   */
  #isRenamed({ topic, from }: EventFact): boolean {
    const [family, name = ""] = topic.split(".");
    if (family !== "worker" || name === from || !(this.workers.has(from) || this.aliases.has(from))) return false;
    this.aliases.set(from, name);
    const [oldest] = this.aliases.keys();
    if (this.aliases.size > LIMITS.knownWorkers && oldest !== undefined) this.aliases.delete(oldest);
    if (this.workers.get(from)?.life.hasBooted === false) this.#drop(from);
    return true;
  }

  #put(before: WorkerRecord, after: WorkerRecord, sequence: number): void {
    this.workers.set(after.peerId, after);
    if (sequence === this.#wholeEntry && after.parked === null) {
      this.#steady.set(after.peerId, { record: after, lastEntryAt: null });
    }
    if (before.ending === null && after.ending !== null) this.#forgetEnded();
    const [oldest] = this.workers.keys();
    if (this.workers.size > LIMITS.knownWorkers && oldest !== undefined) this.#drop(oldest);
  }

  #forgetEnded(): void {
    const ended = [...this.workers.values()].filter(({ ending }) => ending !== null);
    const tooMany = Math.max(0, ended.length - LIMITS.endedWorkers);
    for (const { peerId } of ended.slice(0, tooMany)) this.#drop(peerId);
  }

  #drop(peerId: string): void {
    this.workers.delete(peerId);
    this.#steady.delete(peerId);
    this.changes.delete(peerId);
  }

  #noteChange({ data }: EventFact): void {
    const id = nonEmptyText(data["peerId"]);
    if (id === undefined || !this.workers.has(id)) return;
    const change = data as WorkerStateChanged;
    this.changes.set(id, [...(this.changes.get(id) ?? []), change].slice(-LIMITS.stateChanges));
  }

  load({ workers, changes, aliases }: Saved): void {
    // A snapshot of an older claw lacks fields that newer records have.
    for (const [id, worker] of workers) this.workers.set(id, { ...newWorker(id, worker.profile.since), ...worker });
    for (const [id, known] of changes) this.changes.set(id, known);
    for (const [id, name] of aliases) this.aliases.set(id, name);
  }
}

export function createWorkerMap(): WorkerMap {
  const memory = new Memory();
  return {
    memory: {
      patterns: PATTERNS,
      logEntries: (event) => memory.takeLogEntry(event),
      apply: (event) => memory.take(event),
      save: (): Saved => ({
        workers: memory.all().map((worker) => [worker.peerId, worker]),
        changes: [...memory.changes],
        aliases: [...memory.aliases],
      }),
      load: (saved) => memory.load(saved as Saved),
    },
    get: (peerId) => memory.get(peerId),
    all: () => memory.all(),
    changes: (peerId) => memory.changes.get(peerId) ?? [],
    subjects: (event) => memory.subjects(event),
  };
}
