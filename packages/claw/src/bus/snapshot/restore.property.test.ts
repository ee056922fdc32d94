import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unpackIds } from "../testing/unpack-ids.ts";
import { startBus } from "../testing/bus-harness.ts";
import type { EventLog, StoredEvent } from "../log/index.ts";
import { createMemoryLog } from "../log/index.ts";
import { createMemorySnapshotStore } from "./memory-snapshot-store.ts";
import { captureState } from "./restore.ts";
import type { SnapshotStore } from "./snapshot-store.ts";

type Told = Omit<StoredEvent, "sequence">;

const PEERS = ["p_000001", "p_000002", "fp_0123456789ab"];
const peer = fc.constantFrom(...PEERS);
const text = fc.constantFrom(
  "t_001",
  "t_002",
  "t_900",
  "w1",
  "w2",
  "lead",
  "tester",
  "key-1",
  "key-2",
  "c1",
  "c2",
  "ü",
);
const phase = fc.constantFrom("PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "REFLECT", "FAILED", "COMPLETE");
const status = fc.constantFrom(
  "pending",
  "running",
  "blocked",
  "succeeded",
  "failed",
  "spawned",
  "closed",
  "completed",
);
const small = fc.integer({ min: 0, max: 9 });
const maybe = { requiredKeys: [] };

/** Every field that some projection reads, each there or not. */
const payload = fc.record(
  {
    peerId: peer,
    role: fc.constantFrom("worker", "orchestrator", "observer"),
    taskId: fc.constantFrom("t_001", "t_002", "t_017"),
    assignee: peer,
    assignedAt: small,
    status,
    note: text,
    result: fc.jsonValue({ maxDepth: 2 }),
    phase,
    severity: fc.constantFrom("info", "fatal"),
    to: phase,
    plan: text,
    worker_mode: fc.constantFrom("single", "fleet", "army"),
    expected_workers: small,
    id: text,
    terminal_id: text,
    terminalId: text,
    correlation_id: fc.constantFrom("c1", "c2"),
    reflect: text,
    waveId: fc.constantFrom("w1", "w2"),
    subWorkerRole: fc.constantFrom("lead", "tester"),
    subWorker: fc.constantFrom("lead", "tester"),
    manifest: fc.constant(["lead", "tester"]),
    layers: fc.constant(["a"]),
    commits: fc.constant(["abc"]),
    cost_usd: fc.double({ min: 0, max: 3, noNaN: true }),
    total_cost_usd: fc.double({ min: 0, max: 3, noNaN: true }),
    threshold_usd: fc.constantFrom(1, 2),
    pipelineId: fc.constantFrom("pipe_0001", "pipe_0007"),
    steps: fc.constant([{ stepId: "a", role: "source", terminalId: "c1", state: "active" }]),
    state: fc.constantFrom("active", "closed"),
    idempotencyKey: fc.constantFrom("key-1", "key-2"),
    cmdTopic: fc.constantFrom("cmd.p_000001.approve", "cmd.p_000002.abort"),
  },
  maybe,
);

const SERVER_TOPICS = [
  "system.peer.joined",
  "system.peer.left",
  "system.command.accepted",
  "system.budget.warning",
  "task.assigned.p_000001",
  "task.t_002.assigned",
  "task.status",
  "task.completed",
  "task.cancel_requested.p_000001",
  ...["planned", "phase-changed", "reflected", "worker-spawned", "worker-status", "monitor-registered"].map(
    (kind) => `lifecycle.${kind}`,
  ),
  "lifecycle.monitor-intended",
  "lifecycle.monitor-claimed",
  ...["joined", "violation", "harvested", "lead.boot", "lead.complete", "complete"].map((kind) => `wave.w1.${kind}`),
  "pipeline.pipe_0001.created",
  "pipeline.pipe_0001.closed",
];

const PEER_TOPICS = ["boot", "phase", "event", "complete", "heartbeat"];

const at = fc.integer({ min: 0, max: 1000 }).map((ms) => new Date(1.7e12 + ms).toISOString());

const byServer = fc
  .tuple(fc.constantFrom(...SERVER_TOPICS), payload, at)
  .map(([topic, body, tsServer]): Told => ({ topic, from: "server", tsServer, payload: JSON.stringify(body) }));

const byPeer = fc
  .tuple(peer, fc.option(peer, { nil: "an-alias" }), fc.constantFrom(...PEER_TOPICS), payload, at)
  .map(([from, named, kind, data, tsServer]): Told => {
    const body = { v: 1, id: `${from} ${kind}`, schema: `worker-${kind}-v1`, data, ...data, ts_server: tsServer };
    return { topic: `worker.${named}.${kind}`, from, tsServer, payload: JSON.stringify(body) };
  });

const byOther = fc
  .tuple(
    peer,
    fc.constantFrom(
      "cmd.p_000001.approve",
      "cmd.p_000002.set_phase",
      "cmd.an-alias.set_phase",
      "wave.w1.lead.complete",
    ),
    fc.option(payload, { nil: undefined }),
    at,
  )
  .map(([from, topic, body, tsServer]): Told => ({
    topic,
    from,
    tsServer,
    payload: body === undefined ? undefined : JSON.stringify(body),
  }));

/** A note of the server and the command it announces, which count only next to each other. */
const delivered = fc.tuple(fc.constantFrom("key-1", "key-2"), at).map(([idempotencyKey, tsServer]): Told[] => {
  const cmdTopic = "cmd.p_000001.approve";
  const note = JSON.stringify({ idempotencyKey, cmdTopic });
  return [
    { topic: "system.command.accepted", from: "server", tsServer, payload: note },
    { topic: cmdTopic, from: "p_000009", tsServer, payload: "{}" },
  ];
});

const oneOrTwo = fc.oneof(
  { weight: 5, arbitrary: fc.oneof(byServer, byPeer, byOther).map((event) => [event]) },
  { weight: 1, arbitrary: delivered },
);

async function logOf(events: readonly Told[]): Promise<EventLog> {
  const log = createMemoryLog();
  for (const event of events) log.append(event, { committed: () => undefined, failed: () => undefined });
  await log.close();
  return log;
}

const start = (log: EventLog, snapshotStore: SnapshotStore) => startBus({ log, now: () => 1.7e12, snapshotStore });

/** Everything a bus knows, in a form that can be compared. */
async function knowledgeOf(log: EventLog, snapshotStore: SnapshotStore): Promise<unknown> {
  const { state, sequence, events } = captureState((await start(log, snapshotStore)).context);
  return {
    sequence,
    state: JSON.parse(JSON.stringify(state)) as unknown,
    events: unpackIds(events).toSorted((left, right) => left.sequence - right.sequence),
  };
}

test("a snapshot at any place and the events after it tell what all events tell", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(oneOrTwo, { maxLength: 60 }), fc.nat(), async (groups, n) => {
      const events = groups.flat();
      const log = await logOf(events);
      const everything = await knowledgeOf(log, createMemorySnapshotStore());
      const cut = n % (events.length + 1);
      const store = createMemorySnapshotStore();
      await (await start(await logOf(events.slice(0, cut)), store)).bus.save();
      expect(await knowledgeOf(log, store)).toEqual(everything);
    }),
    { numRuns: 120 },
  );
});
