import { expect, test } from "vitest";
import { createMemoryLog } from "./log/index.ts";
import type { TestClient } from "./testing/start-bus.ts";
import { startBus } from "./testing/start-bus.ts";
import { createTokenStore } from "./tokens/index.ts";

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

async function restart(log = createMemoryLog()) {
  const tokens = createTokenStore(() => 0);
  const client = (await startBus({ log, tokens })).connect();
  const hello = await client.hello(WORKER);
  return {
    client,
    peerId: hello["peerId"],
    again: async (): Promise<TestClient> => {
      const next = (await startBus({ log, tokens })).connect();
      await next.hello({ ...WORKER, resumeToken: hello["resumeToken"] });
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
