import { describe, expect, test } from "vitest";
import type { Frame, Joined } from "../testing/bus-harness.ts";
import { join, pushes, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

const publish = ({ client }: Joined, topic: string, payload: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic, payload });

const LOG: Frame = { kind: "LOG", severity: "info", message: "hi" };

describe("with older clients around", () => {
  test("a worker publishes under the name from its environment, which is then its own", async () => {
    const harness = await startBus({ policy: "compat" });
    const watcher = await watch(harness, "worker.**");
    const [boss, worker, other] = [
      await join(harness, "orchestrator"),
      await join(harness, "worker"),
      await join(harness, "worker", { peerName: "other" }),
    ];
    const envelope = { v: 1, from_peer: "env-7", from_name: "w", schema: "worker-event-v1", data: LOG };
    expect(await publish(worker, "worker.env-7.event", envelope)).toMatchObject({ ok: true });
    expect(await publish(other, "worker.env-7.event", envelope)).toMatchObject({ ok: false });
    expect(await publish(other, `worker.${worker.id}.event`, LOG)).toMatchObject({ ok: false });
    expect(pushes(watcher)).toMatchObject([
      { topic: "worker.env-7.event", payload: { from_peer: worker.id, data: LOG } },
    ]);
    await publish(boss, "cmd.env-7.abort", { reason: "enough" });
    expect(pushes(worker.client)).toMatchObject([{ topic: "cmd.env-7.abort" }]);
    worker.client.close();
    await settle();
    expect(await publish(other, "worker.env-7.event", envelope)).toMatchObject({ ok: true });
  });

  test.each([
    ["that is whole", {}],
    ["without an id", { id: undefined }],
    ["without a time", { ts_published: undefined }],
    ["without a version", { v: undefined }],
  ])("an envelope %s does not keep a forged sender", async (_what, change) => {
    const harness = await startBus({ policy: "compat" });
    const watcher = await watch(harness, "worker.**");
    const [worker, other] = [await join(harness, "worker"), await join(harness, "worker", { peerName: "other" })];
    const id = "1b4e28ba-2fa1-4d3b-883f-0016d3cca427";
    const whole = { v: 1, id, from_name: "w", ts_published: "2026-01-01T00:00:00.000Z", schema: "worker-event-v1" };
    const envelope = { ...whole, from_peer: other.id, data: LOG, ...change };
    expect(await publish(worker, `worker.${worker.id}.event`, envelope)).toMatchObject({ ok: true });
    expect(pushes(watcher)).toMatchObject([{ from: worker.id, payload: { from_peer: worker.id, data: LOG } }]);
  });

  test("processes of one worker share the name from their environment", async () => {
    const harness = await startBus({ policy: "compat" });
    const same = { peerName: "sdk-worker", terminalId: "5" };
    const [first, second, third] = [
      await join(harness, "worker", same),
      await join(harness, "worker", same),
      await join(harness, "worker", { ...same, terminalId: "6" }),
    ];
    expect(await publish(first, "worker.env-7.event", LOG)).toMatchObject({ ok: true });
    expect(await publish(second, "worker.env-7.event", LOG)).toMatchObject({ ok: true });
    expect(await publish(third, "worker.env-7.event", LOG)).toMatchObject({ ok: false });
    expect(await publish(second, `worker.${first.id}.event`, LOG)).toMatchObject({ ok: false });
  });

  test("only what the server alone can know is refused", async () => {
    const harness = await startBus({ policy: "compat" });
    const observer = await join(harness, "observer");
    expect(await publish(observer, "system.monitor.unarmed", { terminal_id: "1" })).toMatchObject({ ok: true });
    for (const topic of ["system.peer.left", "system.budget.warning", "vehicle.1.state"]) {
      expect(await publish(observer, topic, {})).toMatchObject({ error: "publish forbidden — not your topic" });
    }
  });

  test("a malformed event is passed on, wrapped, and reported", async () => {
    const harness = await startBus({ policy: "compat" });
    const watcher = await watch(harness, "worker.**", "system.malformed.received");
    const boss = await join(harness, "orchestrator");
    expect(await publish(boss, "worker.3.heartbeat", { kind: "heartbeat" })).toMatchObject({ ok: true });
    expect(told(watcher)).toMatchObject([
      ["system.malformed.received", { from: boss.id, topic: "worker.3.heartbeat" }],
      ["worker.3.heartbeat", { v: 1, from_peer: boss.id, schema: "claws/2", data: { kind: "heartbeat" } }],
    ]);
  });

  test("a malformed completion is one all the same", async () => {
    const harness = await startBus({ policy: "compat" });
    const watcher = await watch(harness, "system.peer.left");
    const worker = await join(harness, "worker");
    await publish(worker, "worker.env.complete", { ok: true });
    worker.client.close();
    await settle();
    expect(told(watcher)).toMatchObject([["system.peer.left", { peerId: worker.id, reason: "clean" }]]);
  });

  test("an illegal transition is reported and let through", async () => {
    const harness = await startBus({ policy: "compat" });
    const watcher = await watch(harness, "system.gate.fired");
    const worker = await join(harness, "worker");
    const deploy = { phase: "DEPLOY", prev: null, transition_reason: "x", phases_completed: [] };
    expect(await publish(worker, "worker.env.phase", deploy)).toMatchObject({ ok: true });
    expect(told(watcher)).toMatchObject([["system.gate.fired", { peerId: worker.id }]]);
  });

  test("a typed command gets a counter that only grows", async () => {
    const harness = await startBus({ policy: "compat" });
    const boss = await join(harness, "orchestrator");
    const worker = await join(harness, "worker", { terminalId: "5", instanceNonce: "n" });
    const text = "[CLAWS_CMD r=a] pause: {}";
    const plain = "hello";
    for (const said of [text, plain, text]) {
      await request(boss.client, { cmd: "broadcast", text: said, inject: true });
    }
    const numbers = harness.terminals.typed.map(
      (typed) => /^\[CLAWS_CMD seq=(\d+) r=a\] pause: /.exec(typed.text)?.[1],
    );
    expect(numbers).toEqual([expect.any(String), undefined, expect.any(String)]);
    expect(Number(numbers[2])).toBeGreaterThan(Number(numbers[0]));
    expect(told(worker.client).map(([, payload]) => payload)).toEqual(
      harness.terminals.typed.map((typed) => ({ text: typed.text })),
    );
    const restarted = await harness.restart();
    const again = await join(restarted, "orchestrator");
    await join(restarted, "worker", { terminalId: "5", instanceNonce: "n" });
    await request(again.client, { cmd: "broadcast", text, inject: true });
    const next = /seq=(\d+)/.exec(restarted.terminals.typed.at(-1)?.text ?? "")?.[1];
    expect(Number(next)).toBeGreaterThan(Number(numbers[2]));
  });

  test("a client that named no capability is hung up on without a word it does not know", async () => {
    const harness = await startBus({ policy: "compat" });
    const first = await join(harness, "worker", { instanceNonce: "n" });
    const frames = first.client.frames.length;
    await join(harness, "worker", { instanceNonce: "n" });
    expect([first.client.ended(), first.client.frames.length]).toEqual([true, frames]);
  });

  test("a second root is refused unless it names a capability, wave or correlation", async () => {
    const harness = await startBus({ policy: "compat" });
    expect((await join(harness, "orchestrator")).reply).toMatchObject({ ok: true, rootOrchestratorPresent: true });
    expect((await join(harness, "orchestrator")).reply).toMatchObject({
      ok: false,
      error: "root orchestrator already registered",
    });
    for (const more of [{ capabilities: ["receipts"] }, { waveId: "w" }, { correlation_id: "c" }]) {
      expect((await join(harness, "orchestrator", more)).reply).toMatchObject({ ok: true });
    }
    const mixed = await startBus({ policy: "compat" });
    await join(mixed, "orchestrator", { capabilities: ["receipts"] });
    expect((await join(mixed, "orchestrator")).reply).toMatchObject({ ok: true, rootOrchestratorPresent: true });
    const strict = await startBus();
    await join(strict, "orchestrator");
    expect((await join(strict, "orchestrator")).reply).toMatchObject({ ok: true, rootOrchestratorPresent: true });
  });
});
