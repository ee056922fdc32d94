import { CLIENT_LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../claw/src/process/testing/until.ts";
import { memoryChannel } from "./connection/channels/memory.ts";
import type { Client, ClientOptions } from "./client.ts";
import { createClient } from "./create-client.ts";
import { createFaultyChannel } from "./testing/faulty-channel.ts";
import { createManualTimer } from "./testing/manual-timer.ts";
import { createModelBus } from "./testing/model-bus.ts";
import { take, takeEvents } from "./testing/take.ts";
import { settled } from "./testing/settled.ts";

function start(options: Partial<ClientOptions> = {}) {
  const bus = createModelBus();
  const timer = createManualTimer();
  const wire = createFaultyChannel(memoryChannel(bus.accept));
  const connect = (more: Partial<ClientOptions> = {}): Client => {
    const client = createClient("orchestrator", { channel: wire.open, name: "main", timer, ...options, ...more });
    onTestFinished(() => client.close());
    return client;
  };
  return { bus, timer, wire, connect };
}

const typing = (text: string): [string, { text: string }] => ["cmd.p_000009.inject_text", { text }];

test("an event is published in an envelope that says everything", async () => {
  const { bus, connect } = start();
  const client = connect();
  const receipt = await client.publish(...typing("go"), { correlationId: "r1", parentId: null, terminalId: "5" });
  expect(receipt).toEqual({ sequence: 1, cursor: "0001:1", duplicate: false, deliveredTo: 0 });
  expect(bus.log).toEqual([
    {
      topic: "cmd.p_000009.inject_text",
      from: "p_000001",
      payload: {
        v: 1,
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        correlation_id: "r1",
        parent_id: null,
        from_peer: "p_000001",
        from_name: "main",
        terminal_id: "5",
        ts_published: "2026-01-01T00:00:00.000Z",
        schema: "cmd-inject-text-v1",
        data: { text: "go" },
      },
    },
  ]);
});

test("what does not fit its schema is rejected before anything is sent", async () => {
  const { bus, connect } = start();
  await expect(connect().publish("cmd.p_000009.reject", { correlation_id: "r1" })).rejects.toMatchObject({
    code: "PUBLISH_INVALID",
    message: expect.stringMatching(/^the event on cmd\.p_000009\.reject is invalid: data\.reason: /),
    options: { details: { problems: [expect.objectContaining({ path: ["data", "reason"] })] } },
  });
  await expect(connect().publish("Not A Topic", {})).rejects.toMatchObject({ code: "PUBLISH_INVALID" });
  expect(bus.log).toEqual([]);
});

test("an event larger than a request may be is rejected before it is sent", async () => {
  const publish = start()
    .connect()
    .publish(...typing("x".repeat(1024 * 1024)));
  await expect(publish).rejects.toMatchObject({ code: "REQUEST_TOO_LARGE" });
});

test.each([
  [{ error: "publish forbidden — not your topic" }, { code: "PUBLISH_FORBIDDEN" }],
  [
    { error: "rate-limit-exceeded", retry_after_ms: 7 },
    { code: "PUBLISH_RATE_LIMITED", options: { retryAfterMs: 7 } },
  ],
  [{ error: "gate: illegal transition PLAN → DEPLOY" }, { code: "GATE_REFUSED" }],
  [{ error: "duplicate id with another body" }, { code: "PUBLISH_CONFLICT" }],
  [{ error: "something new" }, { code: "BUS_REFUSED" }],
])("a publish that the bus refuses with %o rejects with its code", async (answer, error) => {
  const { bus, connect } = start();
  bus.answers.set("publish", { ok: false, ...answer });
  await expect(connect().publish(...typing("go"))).rejects.toMatchObject({ ...error, message: answer.error });
});

test("what is published before there is a connection waits for it", async () => {
  const { wire, timer, connect } = start();
  wire.refuse(true);
  const client = connect();
  const published = client.publish(...typing("early"));
  await settled();
  expect(client.status()).toBe("connecting");
  wire.refuse(false);
  timer.advance(CLIENT_LIMITS.retryMostMs);
  expect(await published).toMatchObject({ sequence: 1 });
  expect(client.status()).toBe("open");
});

test("a publish whose receipt was lost is sent again under its id and stored once", async () => {
  const { bus, wire, timer, connect } = start();
  const client = connect();
  await client.ready();
  bus.silent.add("publish");
  const published = client.publish(...typing("once"));
  await until(() => bus.log.length === 1);
  wire.cut();
  bus.silent.clear();
  await settled();
  timer.advance(CLIENT_LIMITS.retryMostMs);
  expect(await published).toMatchObject({ sequence: 1, duplicate: true });
  expect(bus.log).toHaveLength(1);
});

const AWAY = { ok: false, error: "event-log:write-failed", code: "NATS_UNREACHABLE", retry_after_ms: 20 };

test("an event that the bus cannot store for now waits, and is sent again before what was published later", async () => {
  const { bus, timer, connect } = start();
  const client = connect();
  await client.ready();
  bus.answers.set("publish", AWAY);
  const first = client.publish(...typing("first"));
  await settled();
  const second = client.publish(...typing("second"));
  await settled();
  expect(bus.log).toEqual([]);
  timer.advance(20);
  expect(await Promise.all([first, second])).toMatchObject([{ sequence: 1 }, { sequence: 2 }]);
});

test("a client that connects once is told that the bus cannot store its event for now", async () => {
  const { bus, connect } = start({ attempts: 1 });
  bus.answers.set("publish", AWAY);
  await expect(connect().publish(...typing("go"))).rejects.toMatchObject({
    code: "NATS_UNREACHABLE",
    retryable: true,
    options: { retryAfterMs: 20 },
  });
});

test("a full spool refuses what comes next and forgets nothing", async () => {
  const { bus, wire, timer, connect } = start();
  wire.refuse(true);
  const client = connect();
  const waiting = Array.from({ length: CLIENT_LIMITS.spoolEvents }, (_, index) =>
    client.publish(...typing(`${index}`)),
  );
  await expect(client.publish(...typing("one more"))).rejects.toMatchObject({ code: "SPOOL_FULL", retryable: true });
  wire.refuse(false);
  timer.advance(CLIENT_LIMITS.retryMostMs);
  await Promise.all(waiting);
  await client.flush();
  expect(bus.log).toHaveLength(CLIENT_LIMITS.spoolEvents);
});

test("a subscription gives what is published from now on, with cursors", async () => {
  const { connect } = start();
  const [reader, writer] = [connect(), connect({ name: "other" })];
  const events = reader.subscribe("cmd.**");
  await reader.ready();
  await settled();
  await writer.publish(...typing("a"));
  expect(await takeEvents(events, 1)).toMatchObject([{ data: { text: "a" }, sequence: 1, cursor: "0001:1" }]);
});

test("a subscription from a cursor gives history, says when it is over, and goes on", async () => {
  const { connect } = start();
  const [reader, writer] = [connect(), connect({ name: "other" })];
  for (const text of ["a", "b", "c"]) await writer.publish(...typing(text));
  const events = reader.subscribe("cmd.**", { from: "0001:1" });
  expect(await take(events, 3)).toMatchObject([
    { kind: "event", data: { text: "b" } },
    { kind: "event", data: { text: "c" } },
    { kind: "caught-up" },
  ]);
  await writer.publish(...typing("d"));
  expect(await take(events, 1)).toMatchObject([{ kind: "event", data: { text: "d" } }]);
});

test("events that can no longer be read are reported as a gap", async () => {
  const { bus, connect } = start();
  const [reader, writer] = [connect(), connect({ name: "other" })];
  for (const text of ["a", "b", "c"]) await writer.publish(...typing(text));
  bus.trim(2);
  expect(await take(reader.subscribe("**", { from: "0001:0" }), 2)).toMatchObject([
    { kind: "gap", from: "0001:0", to: "0001:2", reason: "retention" },
    { kind: "event", data: { text: "c" } },
  ]);
});

test("own events come back only to subscriptions that ask for them, replayed or not", async () => {
  const { connect } = start();
  const client = connect();
  const [without, within] = [client.subscribe("**"), client.subscribe("**", { own: true })];
  await client.publish(...typing("a"));
  const replayed = client.subscribe("**", { from: "0000:0" });
  expect(await take(within, 1)).toMatchObject([{ data: { text: "a" } }]);
  expect(await take(replayed, 1)).toEqual([{ kind: "caught-up", cursor: "0001:1" }]);
  client.subscribe("**").close();
  await client.close();
  expect(await take(without, 1)).toEqual([]);
});

test("after a reconnection a subscription goes on after the last event it was given", async () => {
  const { bus, wire, timer, connect } = start();
  const [writer, reader] = [connect({ name: "writer", channel: memoryChannel(bus.accept) }), connect()];
  const events = reader.subscribe("cmd.**");
  await writer.ready();
  await reader.ready();
  await settled();
  await writer.publish(...typing("a"));
  expect(await takeEvents(events, 1)).toMatchObject([{ data: { text: "a" } }]);
  wire.cut();
  await settled();
  await writer.publish(...typing("b"));
  timer.advance(CLIENT_LIMITS.retryMostMs);
  await settled();
  await writer.publish(...typing("c"));
  expect(await takeEvents(events, 2)).toMatchObject([{ data: { text: "b" } }, { data: { text: "c" } }]);
});

test("a consumer that lags is served from the log: nothing is lost, little is held", async () => {
  const { bus, connect } = start();
  const [reader, writer] = [connect(), connect({ name: "other" })];
  const count = CLIENT_LIMITS.bufferedEvents * 3;
  const events = reader.subscribe("cmd.**", { from: "0000:0" });
  await Promise.all(Array.from({ length: count }, (_, index) => writer.publish(...typing(`${index}`))));
  await settled();
  expect(bus.requests.some(({ cmd }) => cmd === "unsubscribe")).toBe(true);
  // Receipts are not held up by the subscription that lags.
  await reader.publish(...typing("own"));
  const seen = await takeEvents(events, count);
  expect(seen.map(({ data }) => data)).toEqual(Array.from({ length: count }, (_, index) => ({ text: `${index}` })));
});

test("a subscription that the bus refuses throws, and the client lives on", async () => {
  const { bus, connect } = start();
  const client = connect();
  bus.answers.set("subscribe", { ok: false, error: "invalid cursor" });
  const events = client.subscribe("**", { from: "0001:99" });
  const unknown = { code: "INVALID_CURSOR", message: "invalid cursor: 0001:99", target: "0001:99" };
  await expect(events.next()).rejects.toMatchObject(unknown);
  await expect(events.ready()).rejects.toMatchObject(unknown);
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(await client.publish(...typing("a"))).toMatchObject({ sequence: 1 });
});

test("leaving a loop takes the subscription back", async () => {
  const { bus, connect } = start();
  const [reader, writer] = [connect(), connect({ name: "other" })];
  await writer.publish(...typing("a"));
  for await (const item of reader.subscribe("**", { from: "0000:0" })) if (item.kind === "event") break;
  await settled();
  expect(bus.requests.at(-1)).toMatchObject({ cmd: "unsubscribe", subscriptionId: "s_1" });
});

test("a request resolves with its reply and rejects with its refusal", async () => {
  const { bus, connect } = start();
  const client = connect();
  bus.answers.set("ping", { ok: true, serverTime: 5 });
  expect(await client.request("ping")).toMatchObject({ ok: true, serverTime: 5 });
  bus.answers.set("peers", { ok: false, error: "not today" });
  await expect(client.request("peers")).rejects.toMatchObject({ code: "BUS_REFUSED" });
  bus.answers.set("peers", { ok: false, error: "unknown cmd: peers" });
  await expect(client.request("peers")).rejects.toMatchObject({ code: "PROTOCOL_MISMATCH" });
});

test("a reply can be had as its text, unparsed; a refusal stays an error", async () => {
  const { bus, connect } = start();
  const client = connect();
  bus.answers.set("log.read", { ok: true, events: [1], more: "not what the contract promises" });
  bus.answers.set("ping", { ok: true, serverTime: 5 });
  bus.answers.set("peers", { ok: true, peers: [] });
  const asked = [
    client.requestText("log.read", { since: "0000:0" }),
    client.request("ping"),
    client.requestText("peers"),
  ];
  const [text, reply, second] = await Promise.all(asked);
  expect(JSON.parse(String(text))).toMatchObject({ events: [1], more: "not what the contract promises" });
  expect([reply, JSON.parse(String(second))]).toMatchObject([{ serverTime: 5 }, { peers: [] }]);
  bus.answers.set("log.read", { ok: false, error: "invalid cursor" });
  await expect(client.requestText("log.read", { since: "0009:9" })).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  await client.close();
  await expect(client.requestText("ping")).rejects.toMatchObject({ code: "BUS_CLOSED" });
});

test("a reply that is not what the contract promises is refused, with the field's name", async () => {
  const { bus, connect } = start();
  bus.answers.set("worker.list", { ok: true, workers: [{ name: "half a worker" }] });
  await expect(connect().request("worker.list")).rejects.toMatchObject({
    code: "BUS_INCOMPATIBLE",
    target: "worker.list",
    options: { details: { field: "workers" } },
  });
});

test("a request is never sent twice: it is rejected when the connection ends before the answer", async () => {
  const { bus, wire, connect } = start();
  const client = connect();
  await client.ready();
  bus.silent.add("peers");
  const asked = client.request("peers");
  await until(() => bus.requests.some(({ cmd }) => cmd === "peers"));
  wire.cut();
  await expect(asked).rejects.toMatchObject({ code: "BUS_UNREACHABLE" });
});

test("closing ends iterators, rejects what waits, and may be done again", async () => {
  const { wire, connect } = start();
  wire.refuse(true);
  const client = connect();
  const events = client.subscribe("**");
  const outcomes = Promise.allSettled([client.publish(...typing("a")), client.request("peers"), client.ready()]);
  await settled();
  const next = events.next();
  await Promise.all([client.close(), client.close()]);
  expect(await next).toEqual({ done: true, value: undefined });
  const closed = { status: "rejected", reason: expect.objectContaining({ code: "BUS_CLOSED" }) };
  expect(await outcomes).toEqual([closed, closed, closed]);
  await expect(client.publish(...typing("b"))).rejects.toMatchObject({ code: "BUS_CLOSED" });
  expect(await take(client.subscribe("**"), 1)).toEqual([]);
  expect(client.status()).toBe("closed");
});

test("a signal closes the client, also when it was given before", async () => {
  const { connect, timer } = start();
  const controller = new AbortController();
  const client = connect({ signal: controller.signal });
  const events = client.subscribe("**");
  await client.ready();
  controller.abort();
  expect(await take(events, 1)).toEqual([]);
  await expect(connect({ signal: controller.signal }).ready()).rejects.toMatchObject({ code: "BUS_CLOSED" });
  await settled();
  expect(timer.waiting()).toBe(0);
});

test("a signal ends one subscription", async () => {
  const client = start().connect();
  const events = client.subscribe("**", { signal: AbortSignal.abort() });
  expect(await take(events, 1)).toEqual([]);
  expect(await client.publish(...typing("a"))).toMatchObject({ sequence: 1 });
});

test("a refused hello fails everything with its reason", async () => {
  const { bus, connect } = start();
  bus.answers.set("hello", { ok: false, error: "auth:invalid" });
  const client = connect({ bearer: "wrong" });
  const events = client.subscribe("**");
  await expect(client.ready()).rejects.toMatchObject({ code: "TOKEN_INVALID" });
  await expect(events.next()).rejects.toMatchObject({ code: "TOKEN_INVALID" });
  await expect(client.publish(...typing("a"))).rejects.toMatchObject({ code: "TOKEN_INVALID" });
});

test("a bus without receipts is not compatible", async () => {
  const { bus, connect } = start();
  bus.answers.set("hello", { ok: true, peerId: "p_1", serverCapabilities: ["push"] });
  await expect(connect().ready()).rejects.toMatchObject({ code: "BUS_INCOMPATIBLE" });
});

test("attempts that are counted end with BUS_UNREACHABLE", async () => {
  const { wire, timer, connect } = start();
  wire.refuse(true);
  const client = connect({ attempts: 3 });
  const outcome = client.publish(...typing("a")).catch((error: unknown) => error);
  for (const _ of [1, 2, 3]) {
    await settled();
    timer.advance(CLIENT_LIMITS.retryMostMs);
  }
  expect(await outcome).toMatchObject({ code: "BUS_UNREACHABLE" });
  expect(wire.attempts()).toBe(3);
});

test("a client comes back as the peer it was, and another process can", async () => {
  const { bus, wire, timer, connect } = start();
  const client = connect();
  await client.ready();
  wire.cut();
  await settled();
  timer.advance(CLIENT_LIMITS.retryMostMs);
  await until(() => client.status() === "open");
  expect(bus.requests.at(-1)).toMatchObject({ cmd: "hello", resumeToken: "token-p_000001" });
  const next = connect({ resume: { resumeToken: "token-p_000001" } });
  expect(client.resumeState()).toEqual({ resumeToken: "token-p_000001" });
  expect(await next.ready()).toEqual({ peerId: "p_000001", restored: true, cursor: "0001:0" });
});

test("a client gives way to another process that goes on as the same peer", async () => {
  const { bus, connect } = start();
  let fence = (): void => undefined;
  const channel = memoryChannel((connection) => {
    fence = () => connection.send('{"push":"fenced","reason":"taken-over"}');
    return bus.accept(connection);
  });
  const client = connect({ channel });
  const events = client.subscribe("**");
  await client.ready();
  fence();
  await expect(events.next()).rejects.toMatchObject({ code: "PEER_TAKEN_OVER" });
  expect(client.status()).toBe("closed");
});

test("a connection that stays silent is given up and made anew", async () => {
  const { wire, timer, bus, connect } = start();
  const client = connect();
  await client.ready();
  bus.silent.add("ping");
  for (const _ of [1, 2, 3]) {
    expect(wire.attempts()).toBe(1);
    timer.advance(CLIENT_LIMITS.silenceMs);
    await settled();
  }
  timer.advance(CLIENT_LIMITS.retryMostMs);
  await until(() => client.status() === "open");
  expect(wire.attempts()).toBe(2);
  expect(bus.requests.some(({ cmd }) => cmd === "ping")).toBe(true);
});
