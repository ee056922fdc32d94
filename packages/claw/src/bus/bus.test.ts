import { describe, expect, test } from "vitest";
import { join, pushes, request, settle, startBus } from "./testing/bus-harness.ts";

const phase = (to: string, prev: string | null) => ({
  phase: to,
  prev,
  transition_reason: "test",
  phases_completed: [],
});

describe("the bus", () => {
  test("delivers a worker's event to a subscriber with the server's stamps", async () => {
    const harness = await startBus();
    const observer = await join(harness, "observer");
    await request(observer.client, { cmd: "subscribe", topic: "worker.**" });
    const worker = await join(harness, "worker", { capabilities: ["receipts"] });
    const reply = await request(worker.client, {
      cmd: "publish",
      topic: `worker.${worker.id}.phase`,
      payload: phase("PLAN", null),
    });
    expect(reply).toMatchObject({ ok: true, deliveredTo: 1, sequence: 3, cursor: "0001:3", duplicate: false });
    expect(pushes(observer.client)).toMatchObject([
      {
        topic: `worker.${worker.id}.phase`,
        from: worker.id,
        sequence: 3,
        payload: { from_peer: worker.id, ts_server: "2026-01-01T00:00:00.000Z", data: phase("PLAN", null) },
      },
    ]);
  });

  test("refuses what is not the publisher's to say", async () => {
    const harness = await startBus();
    const worker = await join(harness, "worker");
    const spoofs = ["worker.p_999999.event", "system.peer.left", `cmd.${worker.id}.abort`];
    for (const topic of spoofs) {
      expect(await request(worker.client, { cmd: "publish", topic, payload: { reason: "x" } })).toMatchObject({
        ok: false,
        error: "publish forbidden — not your topic",
      });
    }
  });

  test("fires a gate on an illegal transition and leaves the phase as it was", async () => {
    const harness = await startBus();
    const observer = await join(harness, "observer");
    await request(observer.client, { cmd: "subscribe", topic: "system.gate.fired" });
    const worker = await join(harness, "worker");
    const say = (data: object) =>
      request(worker.client, { cmd: "publish", topic: `worker.${worker.id}.phase`, payload: data });
    expect(await say(phase("PLAN", null))).toMatchObject({ ok: true });
    expect(await say(phase("HARVEST", "PLAN"))).toMatchObject({ ok: false });
    expect(pushes(observer.client)).toMatchObject([{ payload: { tool: "publish", peerId: worker.id } }]);
    expect(await say(phase("SPAWN", "PLAN"))).toMatchObject({ ok: true });
  });

  test("joins history and live events without a seam", async () => {
    const harness = await startBus();
    const orchestrator = await join(harness, "orchestrator");
    for (let n = 0; n < 20; n += 1) {
      await request(orchestrator.client, { cmd: "publish", topic: "note.x", payload: { n } });
    }
    const observer = await join(harness, "observer");
    observer.client.send(JSON.stringify({ id: 1, cmd: "subscribe", topic: "note.*", fromCursor: "0000:0" }));
    for (let n = 20; n < 40; n += 1) {
      orchestrator.client.send(JSON.stringify({ cmd: "publish", topic: "note.x", payload: { n } }));
    }
    await settle();
    expect(pushes(observer.client).map(({ payload }) => (payload as { n: number }).n)).toEqual(
      Array.from({ length: 40 }, (_, n) => n),
    );
  });

  test("serves a reader that stops for a while from the log, in order", async () => {
    const harness = await startBus();
    const observer = await join(harness, "observer");
    await request(observer.client, { cmd: "subscribe", topic: "note.*" });
    const orchestrator = await join(harness, "orchestrator");
    observer.client.congest(true);
    for (let n = 0; n < 1000; n += 1) {
      orchestrator.client.send(JSON.stringify({ cmd: "publish", topic: "note.x", payload: { n } }));
    }
    await settle();
    expect(pushes(observer.client).length).toBeLessThan(5);
    observer.client.congest(false);
    await settle();
    expect(pushes(observer.client).map(({ payload }) => (payload as { n: number }).n)).toEqual(
      Array.from({ length: 1000 }, (_, n) => n),
    );
  });

  test("answers the same event with its first receipt and refuses its id for another", async () => {
    const harness = await startBus();
    const worker = await join(harness, "worker", { capabilities: ["receipts"] });
    const payload = {
      v: 1,
      id: "6f1d6a1e-1a52-4a8e-9e9f-0d7d5a6f2b11",
      from_peer: worker.id,
      from_name: "w",
      ts_published: "2026-01-01T00:00:00.000Z",
      schema: "worker-event-v1",
      data: { kind: "LOG", severity: "info", message: "a" },
    };
    const topic = `worker.${worker.id}.event`;
    const first = await request(worker.client, { cmd: "publish", topic, payload });
    expect(await request(worker.client, { cmd: "publish", topic, payload })).toMatchObject({
      ok: true,
      duplicate: true,
      sequence: first["sequence"],
    });
    const other = { ...payload, data: { ...payload.data, message: "b" } };
    expect(await request(worker.client, { cmd: "publish", topic, payload: other })).toMatchObject({ ok: false });
  });

  test("survives anything a client sends", async () => {
    const harness = await startBus();
    const client = harness.transport.connect();
    for (const line of [
      "null",
      "[]",
      "1",
      "{",
      '"x"',
      "",
      "   ",
      "[".repeat(50_000),
      '{"cmd":{}}',
      '{"cmd":"hello"}',
      '{"cmd":"publish"}',
      '{"__proto__":1,"cmd":"ping"}',
    ]) {
      client.send(line);
    }
    await settle();
    expect(await request(client, { cmd: "ping" })).toMatchObject({ ok: true });
  });

  test("says once that a worker fell silent, and how everybody left", async () => {
    const harness = await startBus();
    const observer = await join(harness, "observer");
    await request(observer.client, { cmd: "subscribe", topic: "system.**" });
    const worker = await join(harness, "worker");
    harness.clock.now += 31_000;
    harness.bus.checkPeers();
    harness.bus.checkPeers();
    worker.client.close();
    await settle();
    expect(pushes(observer.client).map(({ topic, payload }) => [topic, payload])).toMatchObject([
      ["system.peer.joined", { peerId: worker.id, role: "worker" }],
      ["system.peer.stale", { peerId: worker.id }],
      ["system.peer.left", { peerId: worker.id, reason: "crash" }],
    ]);
  });
});
