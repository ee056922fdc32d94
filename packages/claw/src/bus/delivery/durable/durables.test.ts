import { ClawError } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { BusOptions } from "../../bus.ts";
import { createMemoryLog } from "../../log/index.ts";
import type { Frame, BusHarness, TestClient } from "../../testing/bus-harness.ts";
import { settle, startBus } from "../../testing/bus-harness.ts";
import type { DurableRecord } from "./durable-store.ts";
import { createMemoryDurableStore } from "./memory-durable-store.ts";

const SUBSCRIBE = { cmd: "subscribe", topic: "note.*", durable: "reader" };

interface Scene extends BusHarness {
  readonly publish: (count: number) => Promise<void>;
  readonly reader: (options?: Frame) => Promise<{ client: TestClient; reply: Frame; id: unknown }>;
}

async function start(options: Partial<BusOptions> = {}): Promise<Scene> {
  const scene = await startBus(options);
  const publisher = scene.connect();
  await publisher.hello({ role: "orchestrator" });
  let n = 0;
  return {
    ...scene,
    publish: async (count) => {
      for (let left = count; left > 0; left -= 1) {
        publisher.raw.send(JSON.stringify({ cmd: "publish", topic: "note.x", payload: { n: (n += 1) } }));
      }
      await settle();
    },
    reader: async (more = {}) => {
      const client = scene.connect();
      await client.hello({ role: "observer", capabilities: ["durable"] });
      const reply = await client.ask({ ...SUBSCRIBE, ...more });
      return { client, reply, id: reply["subscriptionId"] };
    },
  };
}

const numbers = (client: TestClient): number[] => client.pushes().map(({ payload }) => (payload as { n: number }).n);

const cursorOf = (client: TestClient, n: number): unknown =>
  client.pushes().find(({ payload }) => (payload as { n: number }).n === n)?.["cursor"];

describe("a durable subscription", () => {
  test("goes on after what was acknowledged, whoever reads it next", async () => {
    const scene = await start();
    const first = await scene.reader();
    await scene.publish(4);
    expect(numbers(first.client)).toEqual([1, 2, 3, 4]);
    const cursor = cursorOf(first.client, 2);
    expect(await first.client.ask({ cmd: "ack", subscriptionId: first.id, cursor })).toMatchObject({
      ok: true,
      ackedCursor: cursor,
    });
    first.client.raw.close();
    await scene.publish(2);
    const second = await scene.reader({ fromCursor: "0000:0" });
    expect(second.reply).toMatchObject({ ok: true, durable: "reader", ackedCursor: cursor });
    await settle();
    expect(numbers(second.client)).toEqual([3, 4, 5, 6]);
    expect(second.client.pushes("caught-up")).toHaveLength(1);
  });

  test("survives a restart of the bus", async () => {
    const log = createMemoryLog();
    const records = new Map<string, DurableRecord>();
    const before = await start({ log, durables: createMemoryDurableStore(records) });
    const first = await before.reader();
    await before.publish(3);
    await first.client.ask({ cmd: "ack", subscriptionId: first.id, cursor: cursorOf(first.client, 1) });
    const after = await start({ log, durables: createMemoryDurableStore(records) });
    const second = await after.reader();
    await settle();
    expect(numbers(second.client)).toEqual([2, 3]);
  });

  test("begins where its first reader says", async () => {
    const scene = await start();
    await scene.publish(3);
    const { client } = await scene.reader({ fromCursor: "0000:0" });
    await scene.publish(1);
    expect(numbers(client)).toEqual([1, 2, 3, 4]);
  });

  test("sends no more than may wait, and goes on with each acknowledgement", async () => {
    const scene = await start();
    const { client, id } = await scene.reader({ maxInFlight: 2 });
    await scene.publish(5);
    expect(numbers(client)).toEqual([1, 2]);
    await client.ask({ cmd: "ack", subscriptionId: id, cursor: cursorOf(client, 1) });
    expect(numbers(client)).toEqual([1, 2, 3]);
    await client.ask({ cmd: "ack", subscriptionId: id, cursor: cursorOf(client, 3) });
    expect(numbers(client)).toEqual([1, 2, 3, 4, 5]);
    await client.ask({ cmd: "ack", subscriptionId: id, cursor: cursorOf(client, 5) });
    await scene.publish(1);
    expect(numbers(client)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("sends again what was not acknowledged in time, and only that", async () => {
    const scene = await start();
    const { client, id } = await scene.reader({ ackWaitMs: 100 });
    await scene.publish(3);
    await client.ask({ cmd: "ack", subscriptionId: id, cursor: cursorOf(client, 1) });
    scene.clock.now += 99;
    scene.bus.checkPeers();
    await settle();
    expect(numbers(client)).toEqual([1, 2, 3]);
    scene.clock.now += 1;
    scene.bus.checkPeers();
    await settle();
    expect(numbers(client)).toEqual([1, 2, 3, 2, 3]);
    await scene.publish(1);
    await client.ask({ cmd: "ack", subscriptionId: id, cursor: cursorOf(client, 4) });
    scene.clock.now += 1000;
    scene.bus.checkPeers();
    await settle();
    expect(numbers(client)).toEqual([1, 2, 3, 2, 3, 4]);
  });

  test("does not pile up what a stopped reader will not read", async () => {
    const scene = await start();
    const { client } = await scene.reader({ ackWaitMs: 100 });
    await scene.publish(2);
    client.raw.congest(true);
    scene.clock.now += 1000;
    scene.bus.checkPeers();
    await settle();
    expect(numbers(client)).toEqual([1, 2]);
  });

  test("has one reader, the newest", async () => {
    const scene = await start();
    const old = await scene.reader();
    await scene.publish(1);
    const cursor = cursorOf(old.client, 1);
    const newest = await scene.reader();
    await scene.publish(1);
    expect([numbers(old.client), numbers(newest.client)]).toEqual([[1], [1, 2]]);
    expect(old.client.pushes("detached")).toMatchObject([{ subscriptionId: old.id, durable: "reader" }]);
    expect(await old.client.ask({ cmd: "ack", subscriptionId: old.id, cursor })).toMatchObject({
      ok: false,
      error: "subscription not found",
    });
    expect(await old.client.ask({ cmd: "ack", subscriptionId: newest.id, cursor })).toMatchObject({ ok: false });
  });

  test("gets its reader's own events too", async () => {
    const scene = await start();
    const client = scene.connect();
    await client.hello({ role: "orchestrator", capabilities: ["durable"] });
    await client.ask(SUBSCRIBE);
    await client.ask({ cmd: "publish", topic: "note.own", payload: { n: 1 } });
    expect(numbers(client)).toEqual([1]);
  });
});

describe("what a durable subscription cannot have", () => {
  test("events past retention are told as a gap", async () => {
    const log = createMemoryLog();
    let oldest = 1;
    const kept = { ...log, oldest: () => oldest, read: (after: number) => log.read(Math.max(after, oldest - 1)) };
    const scene = await start({ log: kept });
    const first = await scene.reader();
    first.client.raw.close();
    await scene.publish(5);
    oldest = log.head() - 1;
    const second = await scene.reader();
    await settle();
    expect(second.client.pushes("gap")).toMatchObject([{ subscriptionId: second.id, reason: "retention" }]);
    expect(numbers(second.client)).toEqual([4, 5]);
  });

  test("another log's position is a gap", async () => {
    const record = { name: "reader", topic: "note.*", epoch: "0009", acked: 400 };
    const durables = createMemoryDurableStore(new Map([["reader", record]]));
    const scene = await start({ durables });
    await scene.publish(2);
    const { client, id } = await scene.reader();
    await settle();
    const gap = { push: "gap", protocol: "claws/2", subscriptionId: id, from: "0009:400", to: "0001:0" };
    expect(client.pushes("gap")).toEqual([{ ...gap, reason: "epoch" }]);
    expect(numbers(client)).toEqual([1, 2]);
  });

  test("a position beyond the end of a log that became shorter is a gap, and what follows is delivered", async () => {
    const record = { name: "reader", topic: "note.*", epoch: "0001", acked: 400 };
    const durables = createMemoryDurableStore(new Map([["reader", record]]));
    const scene = await start({ durables });
    await scene.publish(2);
    const head = scene.bus.host.headSequence() + 1;
    const { client, id, reply } = await scene.reader();
    const to = `0001:${head}`;
    expect(reply).toMatchObject({ ok: true, ackedCursor: to });
    const gap = { push: "gap", protocol: "claws/2", subscriptionId: id, from: "0001:400", to, reason: "shortened" };
    expect(client.pushes("gap")).toEqual([gap]);
    expect(durables.get("reader")).toEqual({ ...record, acked: head });
    await scene.publish(2);
    expect(numbers(client)).toEqual([3, 4]);
    const next = await scene.reader();
    await settle();
    expect([next.client.pushes("gap"), numbers(next.client)]).toEqual([[], [3, 4]]);
  });

  test("a position at the very end of the log is none", async () => {
    const records = new Map<string, DurableRecord>();
    const scene = await start({ durables: createMemoryDurableStore(records) });
    const acked = scene.bus.host.headSequence() + 1;
    records.set("reader", { name: "reader", topic: "note.*", epoch: "0001", acked });
    const { client } = await scene.reader();
    await scene.publish(1);
    expect([client.pushes("gap"), numbers(client)]).toEqual([[], [1]]);
  });

  test.each([
    [{ durable: "" }, "durable invalid"],
    [{ durable: "../x" }, "durable invalid"],
    [{ durable: ".x" }, "durable invalid"],
    [{ durable: 1 }, "durable invalid"],
    [{ durable: "x".repeat(129) }, "durable invalid"],
    [{ ackWaitMs: 0 }, "ackWaitMs invalid"],
    [{ maxInFlight: 0.5 }, "maxInFlight invalid"],
    [{ fromCursor: "x" }, "invalid cursor format"],
  ])("%j is refused: %s", async (more, error) => {
    expect((await (await start()).reader(more)).reply).toMatchObject({ ok: false, error });
  });

  test("a client that did not ask for the capability, or another topic", async () => {
    const scene = await start();
    const client = scene.connect();
    await client.hello({ role: "observer" });
    expect(await client.ask(SUBSCRIBE)).toMatchObject({ ok: false, error: "requires capability: durable" });
    await scene.reader();
    expect((await scene.reader({ topic: "other.*" })).reply).toMatchObject({
      ok: false,
      error: "durable has another topic",
      topic: "note.*",
    });
  });

  test("an acknowledgement of nothing there is", async () => {
    const scene = await start();
    const { client, id } = await scene.reader();
    const ack = (cursor: unknown) => client.ask({ cmd: "ack", subscriptionId: id, cursor });
    expect(await ack("0001:999")).toMatchObject({ ok: false, error: "invalid cursor" });
    expect(await ack("0002:1")).toMatchObject({ ok: false, error: "invalid cursor" });
    expect(await ack(undefined)).toMatchObject({ ok: false, error: "invalid cursor format" });
  });

  test("a record that was not stored is not promised", async () => {
    const memory = createMemoryDurableStore();
    const reports: string[] = [];
    const durables = { ...memory, save: () => Promise.reject(new Error("disk full")) };
    const scene = await start({ durables, report: (text) => void reports.push(text) });
    expect((await scene.reader()).reply).toMatchObject({ ok: false, error: "durable:write-failed" });
    expect(reports).toEqual(["durable reader was not stored: Error: disk full"]);
  });

  test("for now, a place that cannot be stored before NATS is back", async () => {
    const memory = createMemoryDurableStore();
    const away = new ClawError("NATS_UNREACHABLE", "away", { operation: "a", target: "b", retryAfterMs: 7 });
    const state = { isAway: true };
    const refuse = <T>(answer: () => Promise<T>): Promise<T> => (state.isAway ? Promise.reject(away) : answer());
    const durables = {
      ...memory,
      attach: (name: string) => refuse(() => Promise.resolve(memory.get(name))),
      save: (record: DurableRecord) => refuse(() => memory.save(record)),
    };
    const reports: string[] = [];
    const scene = await start({ durables, report: (text) => void reports.push(text) });
    const refusal = { ok: false, error: "durable:write-failed", code: "NATS_UNREACHABLE", retry_after_ms: 7 };
    expect((await scene.reader()).reply).toMatchObject(refusal);
    state.isAway = false;
    const { client, id } = await scene.reader();
    await scene.publish(1);
    const ack = () => client.ask({ cmd: "ack", subscriptionId: id, cursor: cursorOf(client, 1) });
    state.isAway = true;
    expect(await ack()).toMatchObject(refusal);
    state.isAway = false;
    expect(await ack()).toMatchObject({ ok: true, ackedCursor: cursorOf(client, 1) });
    expect(reports).toEqual([
      "durable reader could not be attached: ClawError: away",
      "durable reader was not stored: ClawError: away",
    ]);
  });
});
