import { createHash } from "node:crypto";
import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { join, pushes, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

const fingerprint = (name: string, role: string, nonce: string): string =>
  `fp_${createHash("sha256").update(`${name}\0${role}\0${nonce}`).digest("hex").slice(0, 12)}`;

describe("who a client is", () => {
  test("follows from name, role and instance; its subscriptions wait for it", async () => {
    const harness = await startBus();
    const boss = await join(harness, "orchestrator");
    const first = await join(harness, "worker", { instanceNonce: "n" });
    expect(first.reply).toMatchObject({ peerId: fingerprint("worker", "worker", "n"), restored: false });
    const { subscriptionId } = await request(first.client, { cmd: "subscribe", topic: "note.*" });
    first.client.close();
    await request(boss.client, { cmd: "publish", topic: "note.a", payload: { n: 1 } });
    const second = await join(harness, "worker", { instanceNonce: "n" });
    expect(second.reply).toMatchObject({ peerId: first.id, restored: true });
    await request(boss.client, { cmd: "publish", topic: "note.a", payload: { n: 2 } });
    await request(boss.client, { cmd: "publish", topic: `cmd.${first.id}.abort`, payload: { reason: "x" } });
    expect(pushes(second.client)).toMatchObject([
      { topic: "note.a", payload: { n: 2 } },
      { topic: `cmd.${first.id}.abort` },
    ]);
    expect(await request(second.client, { cmd: "unsubscribe", subscriptionId })).toMatchObject({ ok: true });
  });

  test("leaves durable subscriptions to their own names", async () => {
    const harness = await startBus();
    const named = { instanceNonce: "n", capabilities: ["durable"] };
    const first = await join(harness, "observer", named);
    await request(first.client, { cmd: "subscribe", topic: "note.*", durable: "mine" });
    first.client.close();
    await join(harness, "observer", named);
    const boss = await join(harness, "orchestrator");
    expect(await request(boss.client, { cmd: "publish", topic: "note.a", payload: {} })).toMatchObject({
      deliveredTo: 0,
    });
  });

  test("is the newest connection's; the older one is shut out and changes nothing by going", async () => {
    const harness = await startBus();
    const first = await join(harness, "worker", { instanceNonce: "n" });
    await request(first.client, { cmd: "subscribe", topic: "note.*" });
    const second = await join(harness, "worker", { instanceNonce: "n" });
    expect(second.reply).toMatchObject({ peerId: first.id, restored: true });
    expect(first.client.ended()).toBe(true);
    first.client.close();
    const boss = await join(harness, "orchestrator");
    expect(await request(boss.client, { cmd: "publish", topic: "note.a", payload: {} })).toMatchObject({
      deliveredTo: 1,
    });
    expect(await request(boss.client, { cmd: "peers" })).toMatchObject({ peers: [{ peerId: first.id }, {}] });
  });

  test("has a correlation id that nobody else connected has, and that is told", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "system.peer.connected");
    const first = await join(harness, "worker", { correlation_id: "c1" });
    expect((await join(harness, "worker", { correlation_id: "c1" })).reply).toMatchObject({
      ok: false,
      error: `correlation_id c1 already registered to peer ${first.id}`,
    });
    expect(told(watcher)).toEqual([
      [
        "system.peer.connected",
        {
          peer_id: first.id,
          correlation_id: "c1",
          peer_name: "worker",
          role: "worker",
          ts: "2026-01-01T00:00:00.000Z",
        },
      ],
    ]);
    first.client.close();
    expect((await join(harness, "worker", { correlation_id: "c1" })).reply).toMatchObject({ ok: true });
  });

  test("does not change by another hello, but where it belongs does", async () => {
    const harness = await startBus();
    const worker = await join(harness, "worker");
    const say = { cmd: "publish", topic: "wave.w1.tester.boot", payload: {} };
    expect(await request(worker.client, say)).toMatchObject({ ok: false });
    const again = { cmd: "hello", protocol: "claws/2", role: "orchestrator", waveId: "w1", subWorkerRole: "tester" };
    expect(await request(worker.client, again)).toMatchObject({ peerId: worker.id, idempotent: true });
    expect(await request(worker.client, say)).toMatchObject({ ok: true });
    expect(await request(worker.client, { cmd: "broadcast", text: "x" })).toMatchObject({ ok: false });
  });

  test("is given up when it does not come back after a restart", async () => {
    const harness = await startBus();
    const [gone, back] = [await join(harness, "worker"), await join(harness, "worker", { instanceNonce: "n" })];
    const restarted = await harness.restart();
    const watcher = await watch(restarted, "system.peer.left");
    await join(restarted, "worker", { instanceNonce: "n" });
    restarted.clock.now += LIMITS.returnGraceMs + 1;
    restarted.bus.checkDue();
    restarted.bus.checkDue();
    await settle();
    expect(back.id).toMatch(/^fp_/);
    expect(told(watcher)).toEqual([["system.peer.left", { peerId: gone.id, role: "worker", reason: "timeout" }]]);
  });
});
