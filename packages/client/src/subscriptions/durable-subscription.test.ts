import { CLIENT_LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../claw/src/process/testing/until.ts";
import type { EventItem } from "./bus-item.ts";
import { connectObserver } from "../create-client.ts";
import { connectOrchestrator } from "../orchestrator/connect-orchestrator.ts";
import type { DurableOptions } from "./subscription.ts";
import { createFaultyChannel } from "../testing/faulty-channel.ts";
import { createManualTimer } from "../testing/manual-timer.ts";
import { AGAIN_MS, startMemoryBus } from "../testing/real-bus.ts";
import { take, takeEvents } from "../testing/take.ts";
import { settled } from "../testing/settled.ts";

/** Two processes that may read the same durable subscription, one behind a wire that can fail, and a publisher. */
async function begin() {
  const bus = await startMemoryBus();
  const timer = createManualTimer();
  const wire = createFaultyChannel(bus.channel);
  const writer = connectOrchestrator({ channel: bus.channel, name: "writer" });
  const reader = connectObserver({ channel: wire.open, name: "reader", timer });
  const other = connectObserver({ channel: bus.channel, name: "other" });
  onTestFinished(async () => {
    await Promise.all([writer.close(), reader.close(), other.close()]);
  });
  await Promise.all([writer.ready(), reader.ready(), other.ready()]);
  const type = async (...texts: string[]): Promise<void> => {
    for (const text of texts) await writer.injectText("p_999999", text);
  };
  const reconnect = async (): Promise<void> => {
    wire.cut();
    await settled();
    timer.advance(CLIENT_LIMITS.retryMostMs);
    await until(() => reader.status() === "open");
  };
  const connectOnce = () => {
    const once = connectObserver({ channel: bus.channel, name: "once", attempts: 1 });
    onTestFinished(() => once.close());
    return once;
  };
  return { bus, wire, timer, writer, reader, other, type, reconnect, connectOnce };
}

const AUDIT: DurableOptions = { name: "audit", from: "0000:0" };
const TOPIC = "cmd.*.inject_text";

async function texts(events: Parameters<typeof takeEvents>[0], count: number): Promise<unknown[]> {
  return (await takeEvents(events, count)).map(({ data }) => (data as { text: string }).text);
}

/** The last of the next events. */
async function last(events: Parameters<typeof takeEvents>[0], count: number): Promise<EventItem> {
  const event = (await takeEvents(events, count)).at(-1);
  if (event === undefined) throw new Error("no event came");
  return event;
}

test("another process goes on after what was acknowledged", async () => {
  const { reader, other, type } = await begin();
  await type("a", "b", "c");
  const first = reader.subscribeDurable(TOPIC, AUDIT);
  const b = await last(first, 2);
  await first.ack(b);
  first.close();
  await settled();
  expect(await texts(other.subscribeDurable(TOPIC, { name: "audit" }), 1)).toEqual(["c"]);
});

test("a subscription that the bus cannot open for now is opened as soon as the bus can", async () => {
  const { bus, timer, reader, type } = await begin();
  bus.loseNats(true);
  const events = reader.subscribeDurable(TOPIC, AUDIT);
  await type("a");
  bus.loseNats(false);
  timer.advance(AGAIN_MS);
  expect(await texts(events, 1)).toEqual(["a"]);
});

test("an acknowledgement that the bus cannot store for now is sent again", async () => {
  const { bus, timer, reader, other, type } = await begin();
  await type("a", "b", "c");
  const events = reader.subscribeDurable(TOPIC, AUDIT);
  const a = await last(events, 1);
  bus.loseNats(true);
  const first = events.ack(a);
  await settled();
  const second = events.ack(await last(events, 1));
  await settled();
  bus.loseNats(false);
  timer.advance(AGAIN_MS);
  await Promise.all([first, second]);
  expect(await texts(other.subscribeDurable(TOPIC, { name: "audit" }), 1)).toEqual(["c"]);
});

test("a client that connects once is told that the bus cannot store a place for now", async () => {
  const { bus, connectOnce } = await begin();
  const once = connectOnce();
  await once.ready();
  bus.loseNats(true);
  const refusal = { code: "NATS_UNREACHABLE", retryable: true, options: { retryAfterMs: AGAIN_MS } };
  await expect(once.subscribeDurable(TOPIC, AUDIT).ready()).rejects.toMatchObject(refusal);
});

test("events that another reader acknowledged meanwhile are not given to the reader that comes back", async () => {
  const { wire, timer, reader, other, type } = await begin();
  await type("a", "b", "c");
  const first = reader.subscribeDurable(TOPIC, AUDIT);
  expect(await texts(first, 1)).toEqual(["a"]);
  wire.cut();
  await settled();
  const second = other.subscribeDurable(TOPIC, { name: "audit" });
  await second.ack(await last(second, 2));
  timer.advance(CLIENT_LIMITS.retryMostMs);
  await until(() => reader.status() === "open");
  await settled();
  expect(await texts(first, 1)).toEqual(["c"]);
});

test("it says where it was, once the bus has taken it", async () => {
  const { bus, reader, other, type } = await begin();
  await type("a", "b");
  const first = reader.subscribeDurable(TOPIC, AUDIT);
  const a = await last(first, 1);
  await first.ack(a);
  const second = other.subscribeDurable(TOPIC, { name: "audit" });
  expect(await second.ready()).toBe(a.cursor);
  expect(bus.log.head()).toBeGreaterThan(a.sequence);
});

test("what is not acknowledged in time comes again in its order, and what follows it too", async () => {
  const { bus, reader, type } = await begin();
  const events = reader.subscribeDurable(TOPIC, { ...AUDIT, ackWaitMs: 1000 });
  await type("a", "b", "c");
  const a = await last(events, 1);
  await events.next();
  await events.ack(a);
  bus.pass(1000);
  await settled();
  expect(await texts(events, 2)).toEqual(["b", "c"]);
  bus.pass(999);
  await type("d");
  expect(await texts(events, 1)).toEqual(["d"]);
});

test("copies that came again are dropped when the first was acknowledged after all", async () => {
  const { bus, reader, type } = await begin();
  const events = reader.subscribeDurable(TOPIC, { ...AUDIT, ackWaitMs: 1000 });
  await type("a", "b");
  const b = await last(events, 2);
  bus.pass(1000);
  await settled();
  await events.ack(b);
  await type("c");
  expect(await texts(events, 1)).toEqual(["c"]);
});

test("after a reconnection the consumer is not given again what it has in hand", async () => {
  const { bus, reader, type, reconnect } = await begin();
  const events = reader.subscribeDurable(TOPIC, { ...AUDIT, ackWaitMs: 1000 });
  await type("a", "b", "c");
  expect(await texts(events, 2)).toEqual(["a", "b"]);
  await reconnect();
  await type("d");
  await settled();
  expect(await texts(events, 2)).toEqual(["c", "d"]);
  bus.pass(1000);
  await settled();
  expect(await texts(events, 4)).toEqual(["a", "b", "c", "d"]);
});

test("an acknowledgement whose answer was lost is made again", async () => {
  const { bus, wire, reader, other, type, reconnect } = await begin();
  await type("a", "b");
  const events = reader.subscribeDurable(TOPIC, AUDIT);
  const a = await last(events, 1);
  wire.deafen();
  const acknowledged = events.ack(a);
  await settled();
  await bus.restart();
  await reconnect();
  await acknowledged;
  expect(await texts(other.subscribeDurable(TOPIC, { name: "audit" }), 1)).toEqual(["b"]);
});

test("acknowledgements cover what is before them, whatever their order", async () => {
  const { reader, other, type } = await begin();
  await type("a", "b", "c");
  const events = reader.subscribeDurable(TOPIC, AUDIT);
  const all = await takeEvents(events, 3);
  await Promise.all([...all].reverse().map((event) => events.ack(event)));
  await type("d");
  expect(await texts(other.subscribeDurable(TOPIC, { name: "audit" }), 1)).toEqual(["d"]);
});

test("no more is sent than may wait for its acknowledgement", async () => {
  const { reader, type } = await begin();
  const events = reader.subscribeDurable(TOPIC, { ...AUDIT, maxInFlight: 2 });
  await type("a", "b", "c");
  const b = await last(events, 2);
  const third = texts(events, 1);
  expect(await Promise.race([third, settled().then(() => "nothing yet")])).toBe("nothing yet");
  await events.ack(b);
  expect(await third).toEqual(["c"]);
});

test("the newest reader wins: the one before is told, and cannot acknowledge any more", async () => {
  const { reader, other, type } = await begin();
  const old = reader.subscribeDurable(TOPIC, AUDIT);
  await type("a");
  const a = await last(old, 1);
  const newest = other.subscribeDurable(TOPIC, { name: "audit" });
  await newest.ready();
  const displaced = { code: "DURABLE_TAKEN_OVER", message: "another reader subscribed as audit" };
  await expect(take(old, 2)).rejects.toMatchObject(displaced);
  await expect(old.ack(a)).rejects.toMatchObject(displaced);
  expect(await texts(newest, 1)).toEqual(["a"]);
  expect(reader.status()).toBe("open");
});

test("a log that was replaced is a gap, and its events are new, whatever their numbers", async () => {
  const { bus, reader, writer, type, reconnect } = await begin();
  const events = reader.subscribeDurable(TOPIC, AUDIT);
  await type("a", "b", "c");
  await takeEvents(events, 3);
  await bus.replace();
  await reconnect();
  await writer.close();
  const another = connectOrchestrator({ channel: bus.channel, name: "writer" });
  onTestFinished(() => another.close());
  await another.injectText("p_999999", "new");
  expect(await take(events, 2)).toMatchObject([
    { kind: "gap", reason: "epoch" },
    { kind: "event", data: { text: "new" } },
  ]);
});

test.each([
  [{ name: "not a name" }, { code: "BUS_REFUSED", message: "durable invalid" }],
  [{ name: "audit", from: "0001:999" }, { code: "INVALID_CURSOR" }],
  [
    { name: "audit", maxInFlight: 0 },
    { code: "BUS_REFUSED", message: "maxInFlight invalid" },
  ],
])("what the bus refuses surfaces at the reader: %j", async (options, error) => {
  const { reader } = await begin();
  const events = reader.subscribeDurable(TOPIC, options);
  await expect(events.next()).rejects.toMatchObject(error);
});

test("closing ends it, rejects what waits, and leaves the name behind", async () => {
  const { wire, reader, other, type } = await begin();
  await type("a");
  const events = reader.subscribeDurable(TOPIC, AUDIT);
  const a = await last(events, 1);
  wire.deafen();
  const waiting = events.ack(a).catch((error: unknown) => error);
  await settled();
  await reader.close();
  expect(await waiting).toMatchObject({ code: "BUS_CLOSED" });
  await expect(events.ack(a)).rejects.toMatchObject({ code: "BUS_CLOSED" });
  expect(await take(events, 1)).toEqual([]);
  await type("b");
  expect(await texts(other.subscribeDurable(TOPIC, { name: "audit" }), 1)).toEqual(["b"]);
});
