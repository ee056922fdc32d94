import { describe, expect, test } from "vitest";
import type { BusOptions } from "../bus.ts";
import { createMemoryLog } from "../log/index.ts";
import type { Frame, TestClient } from "../testing/bus-harness.ts";
import { startBus } from "../testing/bus-harness.ts";
import { createTokenStore } from "../access/tokens/index.ts";

const ID = "6f1d6a1e-1a52-4a8e-9e9f-0d7d5a6f2b11";
const WORKER = { role: "worker", peerName: "w", capabilities: ["resume", "receipts"] };

const data = { kind: "LOG", severity: "info", message: 'ü "quoted" \\ ,"ts_server":"x"}' };

const full = (peerId: unknown) => ({
  v: 1,
  id: ID,
  from_peer: peerId,
  from_name: "w",
  ts_published: "2026-01-01T00:00:00.000Z",
  schema: "worker-event-v1",
  data,
});

async function restart(log = createMemoryLog(), who: Frame = WORKER, options: Partial<BusOptions> = {}) {
  const tokens = createTokenStore(() => 0);
  const client = (await startBus({ log, tokens, ...options })).connect();
  const hello = await client.hello(who);
  return {
    client,
    peerId: hello["peerId"],
    again: async (): Promise<TestClient> => {
      const next = (await startBus({ log, tokens, ...options })).connect();
      await next.hello({ ...who, resumeToken: hello["resumeToken"] });
      return next;
    },
  };
}

test.each([
  ["a whole envelope", (peerId: unknown) => full(peerId)],
  ["an envelope with a field of its own", (peerId: unknown) => ({ trace: { a: 1 }, ...full(peerId), zone: 2 })],
  ["an envelope that names little", () => ({ id: ID, v: 1, schema: "worker-event-v1", data })],
  ["an envelope without a name and time", (peerId: unknown) => ({ extra: [1], data, id: ID, from_peer: peerId, v: 1 })],
])("%s is recognised after a restart, and refused with another body", async (_name, payloadOf) => {
  const { client, peerId, again } = await restart();
  const topic = `worker.${String(peerId)}.event`;
  const payload = payloadOf(peerId);
  const { sequence } = await client.ask({ cmd: "publish", topic, payload });
  expect(sequence).toEqual(expect.any(Number));
  const next = await again();
  expect(await next.ask({ cmd: "publish", topic, payload })).toMatchObject({ ok: true, duplicate: true, sequence });
  const other = { ...payload, data: { ...data, message: "other" } };
  expect(await next.ask({ cmd: "publish", topic, payload: other })).toMatchObject({ ok: false });
});

describe("on a topic without a schema", () => {
  const payload = { v: 1, id: ID, schema: "note-v1", data: { n: 1 } };
  const publish = { cmd: "publish", topic: "task.t_001.progress", payload };
  const boss = { role: "orchestrator", peerName: "b", capabilities: ["resume", "receipts"] };

  test("an event sent again under its id is recognised, restarts included, and refused with another body", async () => {
    const { client, again } = await restart(createMemoryLog(), boss);
    const { sequence } = await client.ask(publish);
    expect(sequence).toEqual(expect.any(Number));
    for (const next of [client, await again()]) {
      expect(await next.ask(publish)).toMatchObject({ ok: true, duplicate: true, sequence });
      expect(await next.ask({ ...publish, payload: { ...payload, data: { n: 2 } } })).toMatchObject({
        ok: false,
        error: "duplicate id with another body",
      });
    }
  });

  test.each([
    ["as it was sent", {}],
    ["with a sender of its own", { from_peer: "p_000001" }],
    ["with stamps of its own", { ts_server: "2001-01-01T00:00:00.000Z", sequence: 4 }],
  ])("an envelope %s is stamped with sender and time, and recognised after a restart", async (_name, more) => {
    const log = createMemoryLog();
    const { client, peerId, again } = await restart(log, boss);
    const sent = { ...publish, payload: { ...payload, ...more } };
    const { sequence } = await client.ask(sent);
    const { events } = await log.read(Number(sequence) - 1);
    const stored = JSON.parse(events[0]?.payload ?? "") as Frame;
    expect(stored).toEqual({ ...payload, from_peer: peerId, ts_server: "2026-01-01T00:00:00.000Z" });
    expect(await (await again()).ask(sent)).toMatchObject({ ok: true, duplicate: true, sequence });
  });

  test("a payload with no mark of an envelope stays as it is", async () => {
    const log = createMemoryLog();
    const { client } = await restart(log, boss);
    const { sequence } = await client.ask({ ...publish, payload: { data: { n: 1 } } });
    expect((await log.read(Number(sequence) - 1)).events[0]?.payload).toBe('{"data":{"n":1}}');
  });

  test("two at once are stored once", async () => {
    const { client } = await restart(createMemoryLog(), boss);
    const answers = await Promise.all([client.ask(publish), client.ask(publish)]);
    expect(answers).toMatchObject([{ duplicate: false }, { duplicate: true }]);
    expect(answers[1]?.["sequence"]).toBe(answers[0]?.["sequence"]);
  });

  test("an id that is no envelope's is nobody's business", async () => {
    const { client } = await restart(createMemoryLog(), boss);
    for (const bare of [
      { id: ID, n: 1 },
      { ...payload, id: "1" },
    ]) {
      const order = { ...publish, payload: bare };
      expect([await client.ask(order), await client.ask(order)]).toMatchObject([
        { duplicate: false },
        { duplicate: false },
      ]);
    }
  });

  test("an id that was refused for its rate may come again", async () => {
    const { client } = await restart(createMemoryLog(), boss, { publishRate: 1 });
    await client.ask({ ...publish, payload: undefined });
    expect(await client.ask(publish)).toMatchObject({ error: "rate-limit-exceeded" });
    expect(await client.ask(publish)).toMatchObject({ error: "rate-limit-exceeded" });
  });

  test("nobody speaks in another's name", async () => {
    const { client, peerId } = await restart(createMemoryLog(), boss);
    const order = (from_peer: unknown) => ({ ...publish, payload: { ...payload, from_peer } });
    expect(await client.ask(order("p_00ffff"))).toMatchObject({ error: "publish forbidden — not your topic" });
    expect(await client.ask(order(peerId))).toMatchObject({ ok: true });
  });
});

test("a malformed event of an older client is recognised too", async () => {
  const { client, peerId, again } = await restart(createMemoryLog(), WORKER, { policy: "compat" });
  const payload = { v: 1, id: ID, from_peer: "env-7", schema: "worker-complete-v1", data: { ok: true } };
  const publish = { cmd: "publish", topic: `worker.${String(peerId)}.complete`, payload };
  const { sequence } = await client.ask(publish);
  for (const next of [client, await again()]) {
    expect(await next.ask(publish)).toMatchObject({ ok: true, duplicate: true, sequence });
    const other = { ...payload, data: { ok: false } };
    expect(await next.ask({ ...publish, payload: other })).toMatchObject({ ok: false });
  }
  await client.ask({ cmd: "subscribe", topic: publish.topic, fromCursor: "0000:0" });
  expect(client.pushes()).toMatchObject([{ payload: { id: ID, from_peer: peerId, data: { ok: true } } }]);
});

test("an envelope is recognised whichever way its request is written", async () => {
  const { client, peerId, again } = await restart();
  const topic = `worker.${String(peerId)}.event`;
  const payload = full(peerId);
  await client.ask({ payload, cmd: "publish", topic });
  expect(await client.ask({ cmd: "publish", topic, payload })).toMatchObject({ ok: true, duplicate: true });
  const next = await again();
  expect(await next.ask({ payload, cmd: "publish", topic, echo: true })).toMatchObject({ ok: true, duplicate: true });
});

test("the same id of another peer is another event", async () => {
  const { client, peerId, again } = await restart();
  await client.ask({ cmd: "publish", topic: `worker.${String(peerId)}.event`, payload: full(peerId) });
  const next = await again();
  expect(await next.ask({ cmd: "ping" })).toMatchObject({ ok: true });
  const log = createMemoryLog();
  const other = await restart(log);
  const topic = `worker.${String(other.peerId)}.event`;
  expect(await other.client.ask({ cmd: "publish", topic, payload: full(other.peerId) })).toMatchObject({
    ok: true,
    duplicate: false,
  });
});

test("a damaged event stops nobody from coming back", async () => {
  const log = createMemoryLog();
  const event = { topic: "worker.p_000001.event", from: "p_000001", tsServer: "2026-01-01T00:00:00.000Z" };
  for (const payload of ['{"id":{,"ts_server":"x"}', '1,"ts_server":"x"}', 'null,"ts_server":"x"}']) {
    log.append({ ...event, payload }, { committed: () => undefined, failed: () => undefined });
  }
  await Promise.resolve();
  const { client, peerId } = await restart(log);
  const publish = { cmd: "publish", topic: `worker.${String(peerId)}.event`, payload: full(peerId) };
  expect(await client.ask(publish)).toMatchObject({ ok: true });
});

test("on a topic without a schema, an id that is no UUID is its publisher's own, and recognises nothing", async () => {
  const { client, again } = await restart(createMemoryLog(), { ...WORKER, role: "orchestrator" });
  const publish = (n: number, id: string): Frame => ({
    cmd: "publish",
    topic: "note.x",
    payload: { v: 1, id, data: { n } },
  });
  for (const each of [client, await again()]) {
    expect(await each.ask(publish(1, "job-7"))).toMatchObject({ ok: true, duplicate: false });
    expect(await each.ask(publish(2, "job-7"))).toMatchObject({ ok: true, duplicate: false });
  }
  expect(await client.ask(publish(1, ID))).toMatchObject({ ok: true, duplicate: false });
  expect(await client.ask(publish(1, ID))).toMatchObject({ ok: true, duplicate: true });
  expect(await client.ask(publish(2, ID))).toMatchObject({ ok: false, error: "duplicate id with another body" });
});
