import type { WorkerRecord, WorkerView, ReadRequest, ReplyFields } from "claw-contract";
import { hasLifeEnded, nextDueOf, reduceWorker, stateChangeOf, tellAt, workerViewOf } from "claw-contract";
import type { BusExtension, BusHost, CommittedEvent, RequestHandler } from "../../../bus/index.ts";
import { error, handlePeers, ok } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import type { WorkerMap, EndSummary } from "./worker-map.ts";
import type { SilenceOf } from "./unheard.ts";
import { showUnheard } from "./unheard.ts";
import { createWorkerMap, PATTERNS, endSummaryOf } from "./worker-map.ts";

interface Listing {
  readonly workers: Pick<WorkerMap, "peerIds" | "endOf">;
  /** The worker's record as of now. */
  readonly recordOf: (peerId: string) => WorkerRecord | undefined;
  readonly viewOf: (worker: WorkerRecord) => WorkerView;
  readonly nowMs: number;
}

/**
 * Answers `worker.list`. Records of workers that are only counted are not read. Serves the row `claw ps` of bench
 * growth.
 */
export function pickWorkers(
  { workers, recordOf, viewOf, nowMs }: Listing,
  { fleet, endedWithinMs }: ReadRequest<"worker.list">,
): ReplyFields<"worker.list"> {
  const endedAfter = nowMs - (endedWithinMs ?? Infinity);
  const isMeant = (end: EndSummary): boolean => fleet === undefined || end.fleet === fleet;
  const isShown = ({ endedAt }: EndSummary): boolean => endedAt === null || endedAt >= endedAfter;
  const shown: WorkerView[] = [];
  let hidden = 0;
  for (const peerId of workers.peerIds()) {
    const known = workers.endOf(peerId);
    const record = known === undefined || (isMeant(known) && isShown(known)) ? recordOf(peerId) : undefined;
    const end = record === undefined ? known : endSummaryOf(record);
    if (end === undefined || !isMeant(end)) continue;
    if (record !== undefined && isShown(end)) shown.push(viewOf(record));
    else hidden += 1;
  }
  return endedWithinMs === undefined ? { workers: shown } : { workers: shown, hidden };
}

/** The state of every worker, with the source of the state and its time. */
export interface States {
  readonly extension: BusExtension;
  /** The worker's state as of now. */
  readonly get: (peerId: string) => WorkerView | undefined;
  /** All workers, ended workers included, oldest first. */
  all(): readonly WorkerView[];
}

/** Wait before a state that could not be stored is published again. */
const STATE_RETRY_MS = 5000;

/**
 * Whether an event makes the daemon publish states at once. A peer that has only joined may be another connection of a
 * known worker; the clock publishes its state soon after.
 */
const isTelling = ({ topic }: CommittedEvent): boolean => topic !== "system.peer.joined";

/**
 * The worker's record as of now, with the current time and the time of the connection's last frame. For a worker of another
 * machine that machine's daemon looks at the clock, which may differ, and publishes the states.
 */
function atNow(host: BusHost, worker: WorkerRecord): WorkerRecord {
  if (!host.isHere(worker.peerId)) return worker;
  const lastFrame = host.peers.get(worker.peerId)?.lastSeen ?? null;
  const listeningSince = host.silenceCountsFrom();
  return reduceWorker(worker, { kind: "clock", at: host.now(), listeningSince, lastFrame });
}

/** Makes views of records. The registry decides whether a worker has ended. */
export const viewWith =
  (registry: Pick<WorkerRegistry, "get">, { machineOf }: Partial<Pick<BusHost, "machineOf">> = {}) =>
  (record: WorkerRecord): WorkerView => {
    const machine = machineOf?.(record.peerId);
    const known = registry.get(record.peerId);
    // The view is new, so it is filled instead of copied (bench cluster, "claw ps").
    const view = workerViewOf(record);
    if (known !== undefined) Object.assign(view, { ended: hasLifeEnded(known.life) });
    return machine === undefined ? view : Object.assign(view, { machine });
  };

/** Makes views of records as of now: in a cluster, workers of machines that are not heard are `stale` or `gone`. */
export function presentViews(
  host: BusHost,
  registry: Pick<WorkerRegistry, "get">,
  silenceOf: SilenceOf | undefined,
): (record: WorkerRecord) => WorkerView {
  const ownView = viewWith(registry, host);
  const unheard = silenceOf === undefined ? undefined : showUnheard(host, silenceOf);
  return unheard === undefined ? ownView : (record) => unheard(ownView(record));
}

/** Reads the records of workers as of now. */
export const presentRecords =
  (host: BusHost, workers: Pick<WorkerMap, "get">) =>
  (peerId: string): WorkerRecord | undefined => {
    const worker = workers.get(peerId);
    return worker === undefined ? undefined : atNow(host, worker);
  };

/** Publishes every state once; again only when the state has changed or could not be stored. */
class StatePublisher {
  readonly #host: BusHost;
  readonly #workers: WorkerMap;
  readonly #telling = new Set<string>();
  #retryAt = -Infinity;

  constructor(host: BusHost, workers: WorkerMap) {
    this.#host = host;
    this.#workers = workers;
  }

  /** Publishes the state of a worker if due. Returns the time of the next due publication, in milliseconds. */
  tell(peerId: string): number {
    const known = this.#workers.get(peerId);
    if (known === undefined || this.#telling.has(peerId) || !this.#host.isHere(peerId)) return Infinity;
    const worker = atNow(this.#host, known);
    const due = Math.max(tellAt(worker), this.#retryAt);
    if (due > this.#host.now()) return Math.min(due, this.#nextOf(worker));
    this.#append(worker);
    return this.#nextOf(worker);
  }

  #nextOf(worker: WorkerRecord): number {
    const lastFrame = this.#host.peers.get(worker.peerId)?.lastSeen ?? null;
    return nextDueOf(worker, { listeningSince: this.#host.silenceCountsFrom(), lastFrame });
  }

  #append(worker: WorkerRecord): void {
    const { peerId } = worker;
    const payload = stateChangeOf(worker, this.#host.timestamp());
    this.#telling.add(peerId);
    this.#host.publish([{ topic: "system.worker.state", payload }], (outcome) => {
      this.#telling.delete(peerId);
      // Changes during the write are not published yet.
      if (!(outcome instanceof Error)) return void this.tell(peerId);
      this.#retryAt = this.#host.now() + STATE_RETRY_MS;
      return this.#host.report(`the state of ${peerId} was not stored: ${outcome.message}`);
    });
  }

  tellAll(): number {
    return Math.min(Infinity, ...this.#workers.unsettled().map((peerId) => this.tell(peerId)));
  }
}

interface StateDeps {
  readonly registry: WorkerRegistry;
  readonly workers: WorkerMap;
  readonly states: Pick<States, "get" | "all">;
}

function show({ registry, workers, states }: StateDeps): RequestHandler {
  return handlePeers("worker.show", ({ request }, done) => {
    const name = request.workerId;
    const worker = states.get(registry.find(name)?.peerId ?? name);
    if (worker === undefined) return done(error(`there is no worker ${name}`, { code: "WORKER_NOT_FOUND" }));
    const children = states.all().filter(({ parent_id: parent }) => parent === worker.peer_id);
    return done(ok({ worker, changes: workers.changes(worker.peer_id), children }));
  });
}

export interface StateOptions {
  /** The memory of the extension. */
  readonly workers?: WorkerMap;
  /** Present in a cluster. */
  readonly silenceOf?: SilenceOf | undefined;
}

export function createStates(host: BusHost, registry: WorkerRegistry, options: StateOptions = {}): States {
  const { workers = createWorkerMap(), silenceOf } = options;
  const publisher = new StatePublisher(host, workers);
  const viewOf = presentViews(host, registry, silenceOf);
  const recordOf = presentRecords(host, workers);
  const states = {
    get: (peerId: string): WorkerView | undefined => {
      const worker = recordOf(peerId);
      return worker === undefined ? undefined : viewOf(worker);
    },
    all: (): readonly WorkerView[] => workers.all().map((worker) => viewOf(atNow(host, worker))),
  };
  const here = host.machine === undefined ? {} : { machine: host.machine };
  const list = handlePeers("worker.list", ({ request }, done) =>
    done(ok({ ...pickWorkers({ workers, recordOf, viewOf, nowMs: host.now() }, request), ...here })),
  );
  return {
    ...states,
    extension: {
      name: "states",
      memory: workers.memory,
      requests: [list, show({ registry, workers, states })],
      reactsTo: PATTERNS,
      logEntries: "ignored",
      react: (event) => {
        if (isTelling(event)) workers.subjects(event).forEach((peerId) => publisher.tell(peerId));
      },
      start: () => void publisher.tellAll(),
      checkDue: () => publisher.tellAll(),
    },
  };
}
