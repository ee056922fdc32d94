import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  Completion,
  ErrorCode,
  JsonObject,
  ReadRequest,
  ReplyFields,
  WorkerState,
  WorkerView,
} from "claw-contract";
import { ENDED_STATES, newWorker, workerViewOf as workerView } from "claw-contract";
import type { WorkerSpawned } from "claw-contract/schemas";
import { startBus } from "../../../../bus/testing/bus-harness.ts";
import type { BusExtension, BusHost, EventLog } from "../../../../bus/index.ts";
import { createUnixTransport, error, handlePeers, ok } from "../../../../bus/index.ts";
import { createMemoryLog } from "../../../../bus/log/index.ts";
import { createBudgetMemory, utcDay } from "../../../../daemon/supervision/budgets/budget-memory.ts";
import { createBudgets } from "../../../../daemon/supervision/budgets/budgets.ts";
import { spawnedEvent } from "../../../../daemon/testing/spawned-event.ts";
import { createWorkerRegistry } from "../../../../daemon/worker-registry/worker-registry.ts";
import { identifySelf } from "../../../../process/index.ts";

type SpawnRequest = ReadRequest<"worker.spawn">;

/** What is said of a worker, in the topics of the server. */
export type Deed = readonly [topic: string, fields: JsonObject];

const TS = "2026-01-01T00:00:00.000Z";

export const doing = (state: string): Deed => [
  "system.worker.state",
  { state, previous: null, phase: null, reason: state, source: "self", as_of: TS, ts: TS },
];
export const reporting = (result: string): Deed => [
  "system.worker.completed",
  { sequence: 1, result, summary: `it was ${result}`, artifacts: [], doubts: [], ts: TS },
];
export const checking = (passed: boolean): Deed => [
  "system.worker.verified",
  { sequence: 1, passed, checks: [], ts: TS },
];
export const calling = (action: string): Deed => [
  "system.worker.alert",
  { severity: "warn", message: "trouble", trouble: "crash", action, ts: TS },
];

export const FINISHING: readonly Deed[] = [doing("working"), doing("finished"), reporting("ok")];

export interface PlayedFleet {
  /** Names of the workers in the order they were started. */
  readonly started: string[];
  /** The requests they were started with. */
  readonly requests: SpawnRequest[];
  /** Says something of a worker. */
  say(name: string, ...deeds: readonly Deed[]): Promise<void>;
  readonly log: EventLog;
}

export interface Played {
  /** What a worker does as soon as it was started; nothing by default. */
  readonly deeds?: (name: string, request: SpawnRequest) => readonly Deed[];
  /** Why a worker is not started. */
  readonly refuse?: (name: string) => ErrorCode | undefined;
}

interface KnownWorker {
  readonly spawned: WorkerSpawned;
  state: WorkerState;
  completion: Completion | null;
}

const startedOf = ({ peerId, name, bootId, attempt, folder }: WorkerSpawned): ReplyFields<"worker.spawn"> => ({
  peerId,
  name,
  pid: 4711,
  bootId,
  attempt,
  folder,
  worktree: null,
});

function create(host: BusHost, log: EventLog, played: Played): { extension: BusExtension; fleet: PlayedFleet } {
  const known = new Map<string, KnownWorker>();
  const append = (events: readonly { topic: string; payload: JsonObject }[]): Promise<void> =>
    new Promise((resolve) => host.publish(events, () => resolve()));
  const say = async (name: string, ...deeds: readonly Deed[]): Promise<void> => {
    const worker = [...known.values()].findLast(({ spawned }) => spawned.name === name);
    const peerId = worker?.spawned.peerId;
    await append(deeds.map(([topic, fields]) => ({ topic, payload: { ...fields, peerId } })));
  };
  const fleet: PlayedFleet = { started: [], requests: [], say, log };
  const begin = async (spawned: WorkerSpawned, request: SpawnRequest, answer: () => void): Promise<void> => {
    await append([{ topic: "system.worker.spawned", payload: { ...spawned } }]);
    await say(spawned.name, ...(played.deeds?.(spawned.name, request) ?? []));
    answer();
  };
  const spawn = handlePeers("worker.spawn", ({ request }, done) => {
    const name = String(request.name);
    const refusal = played.refuse?.(name);
    if (refusal !== undefined) return done(error("no", { code: refusal }));
    const peerId = host.nextPeerId();
    const spawned = spawnedEvent(peerId, {
      name,
      harness: request.harness,
      mission: request.mission,
      fleet: request.fleet,
      checks: [...request.checks],
      budget: request.budget,
      worktree: null,
      cwd: "/",
      model: null,
    });
    fleet.started.push(name);
    fleet.requests.push(request);
    known.set(peerId, { spawned, state: "starting", completion: null });
    return void begin(spawned, request, () => done(ok(startedOf(spawned))));
  });
  const viewOf = ({ spawned, state, completion }: KnownWorker): WorkerView => {
    const { peerId, name, fleet: own, mission } = spawned;
    const spent = { tokens: 10, cost_usd: 0.1, cost_estimated: false };
    const said = { name, fleet: own, mission, state, ended: ENDED_STATES.has(state), reason: state, completion };
    return { ...workerView(newWorker(peerId, 0)), ...said, ...spent };
  };
  const note = (topic: string, fields: JsonObject): void => {
    const worker = known.get(String(fields["peerId"]));
    if (worker === undefined) return;
    if (topic.endsWith(".state")) worker.state = fields["state"] as WorkerState;
    if (topic.endsWith(".completed")) worker.completion = "reported";
    if (topic.endsWith(".verified")) worker.completion = fields["passed"] === true ? "verified" : "failed_checks";
  };
  const list = handlePeers("worker.list", (_call, done) => done(ok({ workers: [...known.values()].map(viewOf) })));
  const extension: BusExtension = {
    name: "played",
    requests: [spawn, list],
    reactsTo: ["system.worker.*"],
    react: ({ topic, payload }) => note(topic, payload as JsonObject),
  };
  return { extension, fleet };
}

/** A daemon whose workers are played: a real bus at a real socket of a folder. */
export async function playFleet(cwd: string, played: Played = {}): Promise<PlayedFleet> {
  const folder = join(cwd, ".claws");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socket = join(folder, "claws.sock");
  const made: PlayedFleet[] = [];
  const log = createMemoryLog();
  const harness = await startBus({
    log,
    now: Date.now,
    extend: (host) => {
      const { extension, fleet } = create(host, log, played);
      made.push(fleet);
      const registry = createWorkerRegistry();
      const spending = createBudgetMemory(utcDay, registry);
      const money = { perDay: {}, memory: spending, nameOf: (id: string) => id };
      const memory = { name: "worker-registry", memory: registry.memory };
      return [memory, createBudgets(host, money).extension, extension];
    },
  });
  await harness.listen(createUnixTransport(socket));
  const settings = { socket, http: null, token: null, durability: "strict", policy: "strict" };
  const record = { ...identifySelf(), ...settings, started_at: new Date().toISOString() };
  writeFileSync(join(folder, "daemon.json"), JSON.stringify(record), { mode: 0o600 });
  const [fleet] = made;
  if (fleet === undefined) throw new Error("the bus was not extended");
  return fleet;
}
