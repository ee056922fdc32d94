import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { Bus, BusOptions } from "../bus.ts";
import { append, event } from "../log/log.conformance.ts";
import { createMemoryLog, openSegmentLog } from "../log/index.ts";
import type { Frame, Joined } from "../testing/bus-harness.ts";
import { join as joinBus, request, settle, startBus } from "../testing/bus-harness.ts";
import { createMemorySnapshotStore } from "./memory-snapshot-store.ts";
import type { SnapshotStore } from "./snapshot-store.ts";

const place = { epoch: "0001", head: 1e9 };
const sequenceIn = (store: SnapshotStore): number | undefined => store.load(place, () => undefined)?.sequence;

/** A store whose disk does not take anything until told otherwise. */
function createFailingStore(): SnapshotStore & { broken: boolean } {
  const store = createMemorySnapshotStore();
  const failing = {
    broken: true,
    load: (...args: Parameters<SnapshotStore["load"]>) => store.load(...args),
    save: (snapshot: Parameters<SnapshotStore["save"]>[0]) =>
      failing.broken ? Promise.reject(new Error("no space")) : store.save(snapshot),
  };
  return failing;
}

/** A log that keeps about three segments of some twenty events each, and asks a bus before it removes any. */
function createShortLog(directory: string, bus: () => Bus) {
  return openSegmentLog(nodeFileSystem, {
    directory,
    durability: "relaxed",
    segmentBytes: 4096,
    retainBytes: 12_288,
    retainMs: Infinity,
    mayRemove: (through) => bus().covers(through),
  });
}

async function startShort(folder: string, options: Partial<BusOptions> = {}) {
  const held: { bus?: Bus } = {};
  const log = createShortLog(join(folder, "log"), () => held.bus as Bus);
  const harness = await startBus({ log, ...options });
  held.bus = harness.bus;
  return harness;
}

/** Publishes as many events as fill about a segment for each twenty. */
async function fill({ client }: Joined, count: number): Promise<void> {
  const message = { cmd: "publish", topic: "note.x", payload: "x".repeat(150) };
  for (let n = 0; n < count; n += 1) client.send(JSON.stringify(message));
  await settle();
}

const assign = ({ client }: Joined, assignee: string): Promise<Frame> =>
  request(client, { cmd: "task.assign", assignee, title: "t", prompt: "p", deliver: "publish" });

describe("a snapshot", () => {
  test("is taken after so many events, and holds all of them", async () => {
    const snapshotStore = createMemorySnapshotStore();
    const boss = await joinBus(await startBus({ snapshotStore, snapshotEvents: 10 }), "orchestrator");
    await fill(boss, 8);
    expect(sequenceIn(snapshotStore)).toBeUndefined();
    await fill(boss, 1);
    expect(sequenceIn(snapshotStore)).toBe(10);
  });

  test("that cannot be stored is reported, tried again later, and the bus goes on", async () => {
    const snapshotStore = createFailingStore();
    const harness = await startBus({ snapshotStore, snapshotEvents: 5 });
    const boss = await joinBus(harness, "orchestrator");
    await fill(boss, 4);
    expect(harness.reports.splice(0)).toEqual(["no snapshot was stored: no space"]);
    snapshotStore.broken = false;
    await fill(boss, 5);
    expect([sequenceIn(snapshotStore), harness.reports.length]).toEqual([10, 0]);
  });

  test("tells of tasks that the log has lost, and of the numbers they had", async () => {
    const folder = temporaryFolder(onTestFinished);
    const snapshotStore = createMemorySnapshotStore();
    const harness = await startShort(folder, { snapshotStore });
    const [boss, worker] = [await joinBus(harness, "orchestrator"), await joinBus(harness, "worker")];
    const { taskId } = await assign(boss, worker.id);
    for (let n = 0; n < 30; n += 1) await fill(boss, 20);
    expect(harness.log.oldest()).toBeGreaterThan(300);
    await harness.log.close();
    const again = await startShort(folder, { snapshotStore });
    const reader = await joinBus(again, "orchestrator");
    expect(await request(reader.client, { cmd: "task.list" })).toMatchObject({
      tasks: [{ taskId, assignee: worker.id }],
    });
    const next = await assign(reader, (await joinBus(again, "worker")).id);
    expect([taskId, next["taskId"]]).toEqual(["t_001", "t_002"]);
  });

  test("recognises an event sent again that the log has lost", async () => {
    const folder = temporaryFolder(onTestFinished);
    const snapshotStore = createMemorySnapshotStore();
    const harness = await startShort(folder, { snapshotStore });
    const boss = await joinBus(harness, "orchestrator");
    const nonce = { instanceNonce: "n", capabilities: ["receipts"] };
    const worker = await joinBus(harness, "worker", nonce);
    const data = { kind: "LOG", severity: "info", message: "hi" };
    const payload = { v: 1, id: "6f1d6a1e-1a52-4a8e-9e9f-0d7d5a6f2b11", schema: "worker-event-v1", data };
    const publish = { cmd: "publish", topic: `worker.${worker.id}.event`, payload };
    const { sequence } = await request(worker.client, publish);
    for (let n = 0; n < 20; n += 1) await fill(boss, 20);
    expect(harness.log.oldest()).toBeGreaterThan(Number(sequence));
    await harness.log.close();
    const again = await joinBus(await startShort(folder, { snapshotStore }), "worker", nonce);
    expect(await request(again.client, publish)).toMatchObject({ ok: true, duplicate: true, sequence });
    const other = { ...publish, payload: { ...payload, data: { ...data, message: "ho" } } };
    expect(await request(again.client, other)).toMatchObject({ ok: false });
  });

  test("comes before a segment goes: while none can be stored, nothing is removed", async () => {
    const folder = temporaryFolder(onTestFinished);
    const snapshotStore = createFailingStore();
    const harness = await startShort(folder, { snapshotStore });
    const { log, reports } = harness;
    const boss = await joinBus(harness, "orchestrator");
    for (let n = 0; n < 15; n += 1) await fill(boss, 20);
    expect([log.oldest(), new Set(reports.splice(0))]).toEqual([1, new Set(["no snapshot was stored: no space"])]);
    snapshotStore.broken = false;
    for (let n = 0; n < 4; n += 1) await fill(boss, 20);
    expect(log.oldest()).toBeGreaterThan(250);
    expect(readdirSync(join(folder, "log")).filter((name) => name.endsWith(".jsonl")).length).toBeLessThan(6);
  });

  test("that ends before the log begins is used all the same, and the hole is named", async () => {
    const folder = temporaryFolder(onTestFinished);
    const snapshotStore = createMemorySnapshotStore();
    const first = await startShort(folder, { snapshotStore });
    await joinBus(first, "worker");
    await first.bus.save();
    await first.log.close();
    const second = await startShort(folder);
    const boss = await joinBus(second, "orchestrator");
    for (let n = 0; n < 20; n += 1) await fill(boss, 20);
    const oldest = second.log.oldest();
    await second.log.close();
    const third = await startShort(folder, { snapshotStore });
    expect(third.reports.splice(0)).toEqual([`events 2 to ${oldest - 1} are neither in the log nor in a snapshot`]);
    expect(third.context.state.presence.present().size).toBe(1);
  });
});

test("tasks closed before a start count when the oldest closed one is forgotten", async () => {
  const snapshotStore = createMemorySnapshotStore();
  const log = createMemoryLog();
  const tell = (topic: string, payload: unknown) => append(log, { ...event(topic, payload), from: "server" });
  const last = `t_${LIMITS.closedRecords + 1}`;
  for (let n = 1; n <= LIMITS.closedRecords + 1; n += 1) {
    await tell("task.assigned.p_1", { taskId: `t_${n}`, assignee: "p_1", assignedAt: 1 });
    if (n <= LIMITS.closedRecords) await tell("task.completed", { taskId: `t_${n}`, status: "succeeded" });
  }
  await (await startBus({ log, snapshotStore })).bus.save();
  await tell("task.completed", { taskId: last, status: "failed" });
  const { tasks } = (await startBus({ log, snapshotStore })).context.state;
  expect([tasks.all().length, tasks.get("t_1"), tasks.get(last)?.status]).toEqual([
    LIMITS.closedRecords,
    undefined,
    "failed",
  ]);
});
