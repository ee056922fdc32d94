import { CLIENT_LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../claw/src/process/testing/until.ts";
import { memoryChannel } from "../connection/channels/memory.ts";
import { createClient } from "../create-client.ts";
import { createFaultyChannel } from "../testing/faulty-channel.ts";
import { createManualTimer } from "../testing/manual-timer.ts";
import { createModelBus } from "../testing/model-bus.ts";
import { startMemoryBus } from "../testing/real-bus.ts";
import { take, takeEvents } from "../testing/take.ts";
import { settled } from "../testing/settled.ts";

function start() {
  const bus = createModelBus();
  const timer = createManualTimer();
  const wire = createFaultyChannel(memoryChannel(bus.accept));
  const reader = createClient("observer", { channel: wire.open, name: "reader", timer });
  const writer = createClient("orchestrator", { channel: memoryChannel(bus.accept), name: "writer", timer });
  onTestFinished(async () => {
    await Promise.all([reader.close(), writer.close()]);
  });
  const type = async (...texts: string[]): Promise<void> => {
    for (const text of texts) await writer.publish("cmd.p_9.inject_text", { text });
  };
  const cutAndReturn = async (): Promise<void> => {
    wire.cut();
    await settled();
    timer.advance(CLIENT_LIMITS.retryMostMs);
  };
  return { bus, timer, wire, reader, writer, type, cutAndReturn };
}

const textsOf = async (events: Parameters<typeof takeEvents>[0], count: number): Promise<unknown[]> =>
  (await takeEvents(events, count)).map(({ data }) => (data as { text: string }).text);

test("a subscription says where its consumer stands, whatever has arrived beyond", async () => {
  const { reader, type } = start();
  await type("a", "b");
  const events = reader.subscribe("cmd.**", { from: "0001:1" });
  expect(events.cursor()).toBe("0001:1");
  expect(await events.ready()).toBe("0001:1");
  await settled();
  expect(events.cursor()).toBe("0001:1");
  await events.next();
  expect(events.cursor()).toBe("0001:2");
});

test("one that was given nothing stands where it began, and one that fits nothing behind all it looked at", async () => {
  const { reader, type } = start();
  await type("a", "b");
  const [now, nothing] = [reader.subscribe("cmd.**"), reader.subscribe("task.**", { from: "0000:0" })];
  expect(await now.ready()).toBe("0001:2");
  expect(await take(nothing, 1)).toEqual([{ kind: "caught-up", cursor: "0001:2" }]);
  now.close();
  nothing.close();
  expect([now.cursor(), nothing.cursor()]).toEqual(["0001:2", "0001:2"]);
});

test("waiting for one that ends before the bus has taken it is told so", async () => {
  const { wire, reader } = start();
  wire.refuse(true);
  const events = reader.subscribe("cmd.**");
  const ready = events.ready();
  events.close();
  await expect(ready).rejects.toMatchObject({ code: "BUS_CLOSED" });
});

test("made before there is a connection, it misses nothing since that connection began, however often it is lost", async () => {
  const { bus, reader, type, cutAndReturn } = start();
  const events = reader.subscribe("cmd.**");
  bus.silent.add("subscribe");
  await reader.ready();
  await type("while nothing was answered");
  await cutAndReturn();
  bus.silent.clear();
  await cutAndReturn();
  expect(await textsOf(events, 1)).toEqual(["while nothing was answered"]);
});

test("made right after the connection, it misses nothing when that is lost before the answer", async () => {
  const { bus, reader, type, cutAndReturn } = start();
  await reader.ready();
  bus.silent.add("subscribe");
  const events = reader.subscribe("cmd.**");
  await type("before the answer");
  bus.silent.clear();
  await cutAndReturn();
  expect(await textsOf(events, 1)).toEqual(["before the answer"]);
});

test("made on an old connection that is lost before the answer, it begins with the new one, not with old events", async () => {
  const { bus, reader, timer, type, cutAndReturn } = start();
  await reader.ready();
  await type("long ago");
  timer.advance(CLIENT_LIMITS.silenceMs);
  await settled();
  timer.advance(1);
  bus.silent.add("subscribe");
  const events = reader.subscribe("cmd.**");
  await settled();
  bus.silent.clear();
  await cutAndReturn();
  await until(() => reader.status() === "open");
  await events.ready();
  await type("new");
  expect(await textsOf(events, 1)).toEqual(["new"]);
});

test("two consumers of one client each get every event; leaving one loop leaves the other alone", async () => {
  const { reader, type } = start();
  await type("a", "b", "c");
  const [one, two] = [reader.subscribe("cmd.**", { from: "0000:0" }), reader.subscribe("cmd.**", { from: "0000:0" })];
  for await (const item of one) if (item.kind === "event") break;
  expect(await textsOf(two, 3)).toEqual(["a", "b", "c"]);
  expect(await one.next()).toEqual({ done: true, value: undefined });
});

test("a subscription of a client that failed throws why", async () => {
  const { bus, writer } = start();
  bus.answers.set("hello", { ok: false, error: "auth:invalid" });
  await expect(writer.ready()).rejects.toMatchObject({ code: "TOKEN_INVALID" });
  await expect(writer.subscribe("**").next()).rejects.toMatchObject({ code: "TOKEN_INVALID" });
});

test("in a log that was replaced, another peer under this client's old id is another peer", async () => {
  const bus = await startMemoryBus();
  const timer = createManualTimer();
  const wire = createFaultyChannel(bus.channel);
  const reader = createClient("observer", { channel: wire.open, name: "reader", timer });
  const { peerId } = await reader.ready();
  const events = reader.subscribe("cmd.**", { from: "0000:0" });
  await events.next();
  wire.cut();
  await settled();
  await bus.replace();
  const writer = createClient("orchestrator", { channel: bus.channel, name: "writer", timer });
  onTestFinished(async () => {
    await Promise.all([reader.close(), writer.close()]);
  });
  await writer.publish("cmd.p_9.inject_text", { text: "hello" });
  expect(writer.peerId()).toBe(peerId);
  timer.advance(CLIENT_LIMITS.retryMostMs);
  expect(await textsOf(events, 1)).toEqual(["hello"]);
});

test("a log that was replaced by a shorter one is a gap, not an error, and is read from its beginning", async () => {
  const { bus, reader, writer, type, cutAndReturn } = start();
  const events = reader.subscribe("cmd.**", { from: "0000:0" });
  await type("a", "b", "c");
  await takeEvents(events, 3);
  bus.log.length = 0;
  bus.answers.set("subscribe", { ok: false, error: "invalid cursor" });
  await cutAndReturn();
  await writer.ready();
  await type("of the new log");
  expect(await take(events, 2)).toMatchObject([
    { kind: "gap", from: "0001:3", to: "0000:0", reason: "epoch" },
    { kind: "event", data: { text: "of the new log" } },
  ]);
});
