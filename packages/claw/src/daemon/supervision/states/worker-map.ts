import type { EventFact, WorkerRecord } from "claw-contract";
import { ENDED_STATES, LIMITS, newWorker, nonEmptyText, reduceWorker, tellAt } from "claw-contract";
import type { WorkerStateChanged } from "claw-contract/schemas";
import type { CommittedEvent, StoredEvent, StoredProjection } from "../../../bus/index.ts";
import { fieldsOf, idOf } from "../../../bus/index.ts";
import type { SavedShelf } from "./record-shelf.ts";
import { createRecordShelf } from "./record-shelf.ts";

/** The records of all workers, read from the log alone; oldest first. */
export interface WorkerMap {
  readonly memory: StoredProjection;
  get(peerId: string): WorkerRecord | undefined;
  all(): readonly WorkerRecord[];
  /** Oldest first. */
  peerIds(): readonly string[];
  count(): number;
  /** The end of a worker that time does not change any more, without its record; undefined for other workers. */
  endOf(peerId: string): EndSummary | undefined;
  /** Peer ids of the workers that time may change. Ended workers whose end was published are left out. */
  unsettled(): readonly string[];
  /** The last changes of the worker's state, as published; oldest first. */
  changes(peerId: string): readonly WorkerStateChanged[];
  /** The workers that an event is about. */
  subjects(event: CommittedEvent): readonly string[];
}

/** What decides whether an ended worker is listed. */
export interface EndSummary {
  readonly fleet: string | null;
  /** Time of the end in milliseconds; null when the state is not one of an end. */
  readonly endedAt: number | null;
}

export const endSummaryOf = ({ profile, verdict }: WorkerRecord): EndSummary => ({
  fleet: profile.fleet,
  endedAt: ENDED_STATES.has(verdict.state) ? verdict.asOf : null,
});

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
  readonly workers: SavedShelf<WorkerRecord, EndSummary>;
  readonly changes: SavedShelf<readonly WorkerStateChanged[], null>;
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

/** A snapshot of an older claw lacks fields that newer records have. */
const withEveryField = (worker: WorkerRecord): WorkerRecord => ({
  ...newWorker(worker.peerId, worker.profile.since),
  ...worker,
});

/** A worker in whose record log entries change nothing but times. Any other event makes another record. */
interface SteadyWorker {
  readonly record: WorkerRecord;
  /** ISO time of the newest log entry that the record does not know yet. */
  lastEntryAt: string | null;
}

class Memory {
  readonly workers = createRecordShelf(endSummaryOf);
  readonly changes = createRecordShelf((_changes: readonly WorkerStateChanged[]) => null);
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
    if (!this.workers.has(from)) return true;
    const steady = this.#steady.get(from);
    if (steady === undefined || steady.record !== this.workers.out().get(from)) {
      this.#wholeEntry = sequence;
      return false;
    }
    steady.lastEntryAt = tsServer;
    return true;
  }

  /** The record of a worker, with the time of its newest log entry. */
  get(peerId: string): WorkerRecord | undefined {
    const worker = this.workers.get(peerId);
    if (worker !== undefined && !this.workers.out().has(peerId)) return withEveryField(worker);
    const steady = this.#steady.get(peerId);
    if (worker === undefined || steady?.record !== worker || steady.lastEntryAt === null) return worker;
    const at = Date.parse(steady.lastEntryAt);
    const current = { ...worker, lastSeen: at, lastProgress: at };
    this.workers.set(peerId, current);
    this.#steady.set(peerId, { record: current, lastEntryAt: null });
    return current;
  }

  all(): WorkerRecord[] {
    return this.workers.keys().flatMap((peerId) => this.get(peerId) ?? []);
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
    if (terminalId === undefined) return [];
    const inside = this.all().filter(({ profile }) => profile.terminalId === terminalId);
    return inside.map(({ peerId }) => peerId);
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
    if (fact.topic.startsWith("system.")) this.subjects(event).forEach((id) => this.#settle(id));
  }

  /** Puts the record of an ended worker away when its end is told. The next event about the worker takes it out. */
  #settle(peerId: string): void {
    const worker = this.workers.out().has(peerId) ? this.get(peerId) : undefined;
    if (worker === undefined || worker.ending === null || tellAt(worker) !== Infinity) return;
    this.#steady.delete(peerId);
    this.workers.putAway(peerId);
    this.changes.putAway(peerId);
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
    if (this.workers.size() <= LIMITS.knownWorkers) return;
    const [oldest] = this.workers.keys();
    if (oldest !== undefined) this.#drop(oldest);
  }

  #forgetEnded(): void {
    const out = this.workers.out();
    const ended = this.workers.keys().filter((peerId) => out.get(peerId)?.ending !== null);
    const tooMany = Math.max(0, ended.length - LIMITS.endedWorkers);
    for (const peerId of ended.slice(0, tooMany)) this.#drop(peerId);
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

  saveWorkers(): Saved["workers"] {
    // Reading a record that is out adds the time of its newest log entry.
    for (const peerId of this.workers.out().keys()) this.get(peerId);
    return this.workers.save();
  }

  load({ workers, changes, aliases }: Saved): void {
    this.workers.load(workers);
    this.changes.load(changes);
    for (const [id, worker] of this.workers.out()) {
      this.workers.set(id, withEveryField(worker));
      this.#settle(id);
    }
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
        workers: memory.saveWorkers(),
        changes: memory.changes.save(),
        aliases: [...memory.aliases],
      }),
      load: (saved) => memory.load(saved as Saved),
    },
    get: (peerId) => memory.get(peerId),
    all: () => memory.all(),
    peerIds: () => memory.workers.keys(),
    count: () => memory.workers.size(),
    endOf: (peerId) => memory.workers.label(peerId),
    unsettled: () => [...memory.workers.out().keys()],
    changes: (peerId) => memory.changes.get(peerId) ?? [],
    subjects: (event) => memory.subjects(event),
  };
}
