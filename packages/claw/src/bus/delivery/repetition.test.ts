import { describe, expect, test } from "vitest";
import type { BusHarness, Joined } from "../testing/bus-harness.ts";
import { join, pushes, request, settle, startBus } from "../testing/bus-harness.ts";

const sequences = ({ client }: Joined): unknown[] => pushes(client).map(({ sequence }) => sequence);

async function crew(more: Record<string, unknown> = {}): Promise<[BusHarness, Joined, Joined]> {
  const harness = await startBus();
  return [harness, await join(harness, "orchestrator"), await join(harness, "worker", more)];
}

const pause = async (boss: Joined, topic: string): Promise<void> => {
  const payload = topic.startsWith("cmd.role.") ? { command: "pause" } : {};
  expect(await request(boss.client, { cmd: "publish", topic, payload })).toMatchObject({ ok: true });
};

const subscribe = ({ client }: Joined, topic: string, more = {}): Promise<Record<string, unknown>> =>
  request(client, { cmd: "subscribe", topic, ...more });

describe("a worker gets its commands", () => {
  test.each(["cmd.{}.**", "cmd.**", "cmd.*.pause", "**"])("once although it subscribes to %s", async (pattern) => {
    const [harness, boss, worker] = await crew();
    await subscribe(worker, pattern.replace("{}", worker.id));
    await pause(boss, `cmd.${worker.id}.pause`);
    expect(sequences(worker)).toEqual([harness.log.head()]);
  });

  test("once for each subscription that it asked for, and is told which it is for", async () => {
    const [, boss, worker] = await crew({ capabilities: ["receipts"] });
    const first = await subscribe(worker, "cmd.**");
    const second = await subscribe(worker, "cmd.**");
    const third = await subscribe(worker, "cmd.*.pause");
    await pause(boss, `cmd.${worker.id}.pause`);
    const ids = [first, second, third].map(({ subscriptionId }) => subscriptionId);
    expect(pushes(worker.client).map(({ subscriptionId }) => subscriptionId)).toEqual(ids);
  });

  test("for its role likewise, and by the bus's own subscription once it gives up its own", async () => {
    const [, boss, worker] = await crew();
    const { subscriptionId } = await subscribe(worker, "cmd.role.*");
    await pause(boss, "cmd.role.worker");
    await request(worker.client, { cmd: "unsubscribe", subscriptionId });
    await pause(boss, "cmd.role.worker");
    expect(pushes(worker.client).map(({ topic }) => topic)).toEqual(["cmd.role.worker", "cmd.role.worker"]);
  });

  test("once when it comes back, under another name too", async () => {
    const harness = await startBus({ policy: "compat" });
    const boss = await join(harness, "orchestrator");
    const speak = async ({ client }: Joined): Promise<void> => {
      await request(client, { cmd: "publish", topic: "worker.env-7.note", payload: {} });
    };
    const first = await join(harness, "worker", { instanceNonce: "n" });
    await speak(first);
    first.client.close();
    const second = await join(harness, "worker", { instanceNonce: "n" });
    await speak(second);
    await pause(boss, "cmd.env-7.pause");
    await pause(boss, `cmd.${second.id}.pause`);
    expect(pushes(second.client).map(({ topic }) => topic)).toEqual(["cmd.env-7.pause", `cmd.${second.id}.pause`]);
  });

  test("once through a durable subscription", async () => {
    const [harness, boss, worker] = await crew({ capabilities: ["durable"] });
    await subscribe(worker, "cmd.**", { durable: "commands" });
    await pause(boss, `cmd.${worker.id}.pause`);
    await settle();
    expect(sequences(worker)).toEqual([harness.log.head()]);
  });

  test("once although it was slow, those before its subscription included", async () => {
    const [, boss, worker] = await crew();
    const topic = `cmd.${worker.id}.pause`;
    worker.client.congest(true);
    await pause(boss, topic);
    await pause(boss, topic);
    await subscribe(worker, "cmd.**");
    await pause(boss, topic);
    await pause(boss, topic);
    worker.client.congest(false);
    await settle();
    const got = sequences(worker);
    expect([got.length, new Set(got).size]).toEqual([4, 4]);
  });
});

describe("a client that names no capability", () => {
  test("gets one frame for a pattern it subscribed to twice, until both are given up", async () => {
    const [, boss, worker] = await crew();
    const [first, second] = [await subscribe(worker, "note.*"), await subscribe(worker, "note.*")];
    const say = async (): Promise<unknown> =>
      (await request(boss.client, { cmd: "publish", topic: "note.a", payload: {} }))["deliveredTo"];
    expect(await say()).toBe(1);
    await request(worker.client, { cmd: "unsubscribe", subscriptionId: first["subscriptionId"] });
    expect(await say()).toBe(1);
    await request(worker.client, { cmd: "unsubscribe", subscriptionId: second["subscriptionId"] });
    expect(await say()).toBe(0);
  });

  test("gets two once it names one", async () => {
    const [, boss, worker] = await crew();
    await subscribe(worker, "note.*");
    await subscribe(worker, "note.*");
    const say = { cmd: "publish", topic: "note.a", payload: {} };
    expect(await request(boss.client, say)).toMatchObject({ deliveredTo: 1 });
    await request(worker.client, { cmd: "hello", protocol: "claws/2", capabilities: ["gap"] });
    expect(await request(boss.client, say)).toMatchObject({ deliveredTo: 2 });
  });

  test("gets a frame for each pattern that is not the same", async () => {
    const [, boss, worker] = await crew();
    await subscribe(worker, "note.*");
    await subscribe(worker, "note.**");
    const say = { cmd: "publish", topic: "note.a", payload: {} };
    expect(await request(boss.client, say)).toMatchObject({ deliveredTo: 2 });
  });
});
