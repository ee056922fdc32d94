import type { JsonObject, TroubleChoice, TroubleFact, TroubleRecord } from "claw-contract";
import {
  ENDED_STATES,
  nonEmptyText,
  numberOf,
  TROUBLE_ACTIONS,
  WORKER_STATES,
  endBetween,
  LIMITS,
  NO_TROUBLE,
  reduceTrouble,
} from "claw-contract";
import type { CommittedEvent, StoredProjection } from "../../../bus/index.ts";
import { fieldsOf } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";

export const TROUBLE_TOPICS = [
  "system.worker.spawned",
  "system.worker.state",
  "system.worker.terminated",
  "system.worker.accepted",
  "system.worker.rework",
  "system.worker.alert",
  "system.worker.removed",
  "worker.*.complete",
  "cmd.*.abort",
  "cmd.*.pause",
  "cmd.*.resume",
  "cmd.role.worker",
];

const actionIn = (value: unknown): TroubleChoice["stale"] => TROUBLE_ACTIONS.find((each) => each === value) ?? "alert";

function choiceIn(value: unknown): TroubleChoice {
  const { stale, hung, crash, restarts } = fieldsOf(value);
  return {
    stale: actionIn(stale),
    hung: actionIn(hung),
    crash: actionIn(crash),
    restarts: Math.max(0, numberOf(restarts) ?? 0),
  };
}

/** Sources that speak for the worker when it fails. Other sources only found the worker dead. */
const OWN_WORD: ReadonlySet<unknown> = new Set(["self", "stream", "hook"]);

function stateFact({ state, source, evidence }: JsonObject, sequence: number): TroubleFact | undefined {
  const known = WORKER_STATES.find((each) => each === state);
  if (known === undefined) return undefined;
  if (known === "finished" || known === "aborted") return { kind: "ended" };
  if (known === "stale" || known === "hung") return { kind: "trouble", trouble: known, sequence, pid: null };
  if (!ENDED_STATES.has(known)) {
    return { kind: "well", paused: known === "paused", evidence: numberOf(evidence) ?? null };
  }
  const trouble = known === "failed" && OWN_WORD.has(source) ? "failed" : "crash";
  return { kind: "trouble", trouble, sequence, pid: null };
}

function alertFact(fields: JsonObject, atMs: number): TroubleFact | undefined {
  const { action, evidence, due, trouble } = fields;
  const sequence = numberOf(evidence);
  // Alerts without evidence come from other parts of the daemon and are no steps.
  if (sequence === undefined) return undefined;
  const dueMs = Date.parse(nonEmptyText(due) ?? "");
  return {
    kind: "acted",
    sequence,
    action: actionIn(action),
    dueMs: Number.isNaN(dueMs) ? null : dueMs,
    atMs,
    broken: trouble === "crash_loop",
  };
}

function systemFact({ topic, payload, sequence, tsServer }: CommittedEvent): TroubleFact | undefined {
  const fields = fieldsOf(payload);
  const pid = numberOf(fields["pid"]) ?? null;
  switch (topic) {
    case "system.worker.spawned":
      return { kind: "spawned", choice: choiceIn(fields["trouble"]), pid };
    case "system.worker.state":
      return stateFact(fields, sequence);
    case "system.worker.terminated":
      if (fields["expected"] === true) return { kind: "let_go", pid };
      return fields["expected"] === false ? { kind: "trouble", trouble: "crash", sequence, pid } : undefined;
    case "system.worker.accepted":
    case "system.worker.removed":
      return { kind: "ended" };
    case "system.worker.rework":
      return { kind: "reopened" };
    default:
      return alertFact(fields, Date.parse(tsServer));
  }
}

const ORDERS: Readonly<Record<string, TroubleFact>> = {
  abort: { kind: "ended" },
  pause: { kind: "told_to_pause" },
  resume: { kind: "told_to_resume" },
};

export interface AboutWorker {
  /** Null when the fact is about every worker. */
  readonly peerId: string | null;
  readonly fact: TroubleFact;
}

/** The fact that an event tells about a worker's trouble; undefined when there is none. */
export function readTrouble(event: CommittedEvent): AboutWorker | undefined {
  const { topic, from, payload } = event;
  const [family, named = "", action = ""] = topic.split(".");
  if (family === "cmd") {
    const isForAll = named === "role";
    const order = isForAll ? nonEmptyText(fieldsOf(payload)["command"]) : action;
    const fact = order !== undefined && Object.hasOwn(ORDERS, order) ? ORDERS[order] : undefined;
    return fact === undefined ? undefined : { peerId: isForAll ? null : named, fact };
  }
  const peerId = nonEmptyText(fieldsOf(payload)["peerId"]);
  if (from !== "server" || peerId === undefined) return undefined;
  const fact = systemFact(event);
  return fact === undefined ? undefined : { peerId, fact };
}

/** Workers in trouble, read from the log. */
export interface TroubleMemory extends StoredProjection {
  get(peerId: string): TroubleRecord | undefined;
  /** Peer ids of workers in trouble, whether a step is still due or was taken. */
  open(): readonly string[];
}

export function createTroubleMemory(registry: Pick<WorkerRegistry, "changesBy">): TroubleMemory {
  const records = new Map<string, TroubleRecord>();
  /** Workers in trouble, which the clock asks for, and ended workers (bench growth, "publish" and "memory"). */
  const open = new Set<string>();
  const ended = new Set<string>();
  const put = (peerId: string, record: TroubleRecord): void => {
    records.set(peerId, record);
    if (record.open === null) open.delete(peerId);
    else open.add(peerId);
    if (record.ended) ended.add(peerId);
    else ended.delete(peerId);
  };
  const drop = (peerId: string): void => {
    for (const known of [records, open, ended]) known.delete(peerId);
  };
  const tell = (peerId: string, fact: TroubleFact): void => {
    put(peerId, reduceTrouble(records.get(peerId) ?? NO_TROUBLE, fact));
    const [oldest] = ended;
    if (ended.size > LIMITS.endedWorkers && oldest !== undefined) drop(oldest);
    if (records.size <= LIMITS.knownWorkers) return;
    const [well] = [...records].find(([id]) => !open.has(id)) ?? [];
    if (well !== undefined) drop(well);
  };
  return {
    get: (peerId) => records.get(peerId),
    open: () => [...open],
    patterns: TROUBLE_TOPICS,
    apply: (event) => {
      for (const { peerId, before, after } of registry.changesBy(event)) {
        // A worker that published `complete` is in no trouble, also with the result `failed`.
        if (endBetween(before, after)?.by === "complete") tell(peerId, { kind: "ended" });
      }
      const about = readTrouble(event);
      if (about === undefined) return;
      for (const peerId of about.peerId === null ? [...records.keys()] : [about.peerId]) tell(peerId, about.fact);
    },
    save: () => [...records],
    load: (saved) => {
      for (const [peerId, record] of saved as readonly [string, TroubleRecord][]) put(peerId, record);
    },
  };
}
