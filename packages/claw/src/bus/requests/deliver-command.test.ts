import { describe, expect, test } from "vitest";
import { join, pushes, request, startBus, told, watch } from "../testing/bus-harness.ts";

const ORDER = { cmd: "deliver-cmd", payload: { reason: "enough" }, idempotencyKey: "key-1" };

describe("deliver-cmd", () => {
  test("delivers once for each key, before and after a restart, under its place in the log", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "cmd.**");
    const orchestrator = await join(harness, "orchestrator");
    const worker = await join(harness, "worker", { instanceNonce: "n" });
    const order = { ...ORDER, targetPeerId: worker.id, cmdTopic: `cmd.${worker.id}.abort` };
    const first = await request(orchestrator.client, order);
    expect(first).toMatchObject({ ok: true, seq: harness.log.head() });
    expect(await request(orchestrator.client, order)).toMatchObject({ ok: true, duplicate: true, seq: first["seq"] });
    const push = { topic: order.cmdTopic, from: orchestrator.id, payload: ORDER.payload, sequence: first["seq"] };
    expect(pushes(worker.client)).toMatchObject([push]);
    expect(pushes(watcher)).toMatchObject([push]);
    const restarted = await harness.restart();
    const again = await join(restarted, "orchestrator");
    expect(await request(again.client, order)).toMatchObject({ duplicate: true, seq: first["seq"] });
  });

  test("decides about two deliveries at once under one key", async () => {
    const harness = await startBus();
    const orchestrator = await join(harness, "orchestrator");
    const worker = await join(harness, "worker");
    const order = { ...ORDER, targetPeerId: worker.id, cmdTopic: `cmd.${worker.id}.abort` };
    orchestrator.client.send(JSON.stringify(order));
    expect(await request(orchestrator.client, order)).toMatchObject({ duplicate: true });
    expect(pushes(worker.client)).toHaveLength(1);
  });

  test("reaches a target that is subscribed to nothing", async () => {
    const harness = await startBus();
    const orchestrator = await join(harness, "orchestrator");
    const observer = await join(harness, "observer");
    const order = { ...ORDER, targetPeerId: observer.id, cmdTopic: `cmd.${observer.id}.look` };
    const { seq } = await request(orchestrator.client, order);
    expect(pushes(observer.client)).toMatchObject([{ topic: order.cmdTopic, sequence: seq }]);
  });

  test("refuses in the words of the wire", async () => {
    const harness = await startBus();
    const { client } = await join(harness, "orchestrator");
    const whole = { ...ORDER, targetPeerId: "p_0000ff", cmdTopic: "cmd.p_0000ff.abort" };
    for (const name of ["targetPeerId", "cmdTopic", "idempotencyKey"]) {
      expect(await request(client, { ...whole, [name]: undefined })).toMatchObject({
        ok: false,
        error: `deliver-cmd:missing-${name}`,
      });
    }
    expect(await request(client, whole)).toMatchObject({ error: "deliver-cmd:target-not-found:p_0000ff" });
    expect(await request(client, { ...whole, cmdTopic: "system.peer.left" })).toMatchObject({ ok: false });
  });
});

describe("cmd.ack", () => {
  test("tells everybody what a worker did", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "cmd.*.ack");
    const worker = await join(harness, "worker");
    const ack = { cmd: "cmd.ack", seq: 4, status: "executed", correlation_id: "c1" };
    expect(await request(worker.client, ack)).toMatchObject({ ok: true });
    const payload = { seq: 4, status: "executed", workerPeerId: worker.id, correlation_id: "c1" };
    expect(told(watcher)).toEqual([[`cmd.${worker.id}.ack`, payload]]);
    expect(await request(worker.client, { cmd: "cmd.ack", seq: 4, status: "maybe" })).toMatchObject({
      ok: false,
      error: "payload:invalid",
    });
  });
});
