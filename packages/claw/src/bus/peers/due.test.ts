import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { BusHarness, Joined } from "../testing/bus-harness.ts";
import { join, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";
import { createTokenStore } from "../access/tokens/index.ts";

const NAMED = { instanceNonce: "n" };

/** Does what is due and says when to look again, in milliseconds from now. */
function look({ bus, clock }: BusHarness): number {
  return Math.min(bus.checkPeers(), bus.checkDue()) - clock.now;
}

const assign = ({ client }: Joined, to: Joined, more = {}) =>
  request(client, { cmd: "task.assign", assignee: to.id, title: "t", prompt: "p", deliver: "publish", ...more });

describe("a bus that is asked when to look again", () => {
  test("waits for nothing when nobody is there, or only who may be silent", async () => {
    const harness = await startBus();
    expect(look(harness)).toBe(Infinity);
    await join(harness, "orchestrator");
    await join(harness, "observer");
    expect(look(harness)).toBe(Infinity);
  });

  test("names the silence of a worker, and then nothing until it speaks", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "system.peer.stale");
    const worker = await join(harness, "worker");
    expect(look(harness)).toBe(LIMITS.staleMs + 1);
    harness.clock.now += LIMITS.staleMs;
    expect(look(harness)).toBe(1);
    await settle();
    expect(told(watcher)).toEqual([]);
    harness.clock.now += 1;
    expect(look(harness)).toBe(Infinity);
    await settle();
    expect(told(watcher)).toHaveLength(1);
    await request(worker.client, { cmd: "ping" });
    expect(look(harness)).toBe(LIMITS.staleMs + 1);
  });

  test("names the deadline of a task, and the end of the wait for its worker", async () => {
    const harness = await startBus();
    const [boss, worker] = [await join(harness, "orchestrator"), await join(harness, "worker", NAMED)];
    const watcher = await watch(harness, "task.completed");
    await assign(boss, worker, { timeoutMs: 5000 });
    expect(look(harness)).toBe(5000);
    harness.clock.now += 5000;
    look(harness);
    await settle();
    expect(told(watcher)).toHaveLength(1);
    await assign(boss, worker);
    worker.client.close();
    await settle();
    expect(look(harness)).toBe(LIMITS.returnGraceMs + 1);
    harness.clock.now += LIMITS.returnGraceMs + 1;
    look(harness);
    await settle();
    expect(told(watcher)).toHaveLength(2);
    expect(look(harness)).toBe(LIMITS.returnGraceMs);
    harness.clock.now += LIMITS.returnGraceMs;
    expect(look(harness)).toBe(Infinity);
  });

  test("names the timeout of a call", async () => {
    const harness = await startBus();
    const [boss, worker] = [await join(harness, "orchestrator"), await join(harness, "worker")];
    boss.client.send(JSON.stringify({ cmd: "rpc.call", targetPeerId: worker.id, method: "m", timeoutMs: 700 }));
    await settle();
    expect(look(harness)).toBe(700);
  });

  test("names the silence of a wave's member", async () => {
    const harness = await startBus();
    const boss = await join(harness, "orchestrator");
    await request(boss.client, { cmd: "wave.create", waveId: "w", manifest: ["lead"] });
    await join(harness, "worker", { waveId: "w", subWorkerRole: "lead" });
    expect(look(harness)).toBe(LIMITS.waveSilenceMs);
    harness.clock.now += LIMITS.waveSilenceMs;
    look(harness);
    await settle();
    expect(look(harness)).toBe(LIMITS.staleMs + 1 - LIMITS.waveSilenceMs);
  });

  test("names the end of the wait for those who were there before a restart", async () => {
    const harness = await startBus();
    await join(harness, "worker", NAMED);
    const again = await harness.restart();
    expect(look(again)).toBe(LIMITS.returnGraceMs + 1);
    again.clock.now += LIMITS.returnGraceMs + 1;
    expect(look(again)).toBe(Infinity);
  });

  test("names the expiry of a token and the time to send something again", async () => {
    const tokens = createTokenStore(() => harness.clock.now);
    const harness = await startBus({ tokens });
    const bearer = tokens.mint({ role: "orchestrator", lifetimeMs: 90_000 });
    const reader = await join(harness, "orchestrator", { bearer, capabilities: ["durable"] });
    expect(look(harness)).toBe(90_000);
    await request(reader.client, { cmd: "subscribe", topic: "note.*", durable: "d", ackWaitMs: 3000 });
    await request(reader.client, { cmd: "publish", topic: "note.x", payload: 1 });
    expect(look(harness)).toBe(3000);
    reader.client.congest(true);
    harness.clock.now += 3000;
    expect(look(harness)).toBe(1000);
  });
});

describe("a bus that was told that its process slept", () => {
  const HOURS_MS = 8 * 60 * 60_000;

  test("accuses a worker of silence only after it had its time to be heard", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "system.peer.stale");
    const [silent, alive] = [await join(harness, "worker"), await join(harness, "worker")];
    harness.clock.now += HOURS_MS;
    harness.bus.wake();
    expect(look(harness)).toBe(LIMITS.staleMs + 1);
    await request(alive.client, { cmd: "ping" });
    harness.clock.now += LIMITS.staleMs;
    await request(alive.client, { cmd: "ping" });
    expect(look(harness)).toBe(1);
    harness.clock.now += 1;
    look(harness);
    await settle();
    expect(told(watcher)).toMatchObject([["system.peer.stale", { peerId: silent.id, missed_heartbeats: 3 }]]);
  });

  test("waits anew for the members of a wave", async () => {
    const harness = await startBus();
    const boss = await join(harness, "orchestrator");
    const watcher = await watch(harness, "wave.*.violation");
    await request(boss.client, { cmd: "wave.create", waveId: "w", manifest: ["lead"] });
    await join(harness, "worker", { waveId: "w", subWorkerRole: "lead" });
    harness.clock.now += HOURS_MS;
    harness.bus.wake();
    expect(look(harness)).toBe(LIMITS.waveSilenceMs);
    harness.clock.now += LIMITS.waveSilenceMs;
    look(harness);
    await settle();
    expect(told(watcher)).toHaveLength(1);
  });

  test("waits anew for those who left, and keeps their tasks", async () => {
    const harness = await startBus();
    const [boss, worker] = [await join(harness, "orchestrator"), await join(harness, "worker", NAMED)];
    const watcher = await watch(harness, "task.completed");
    await assign(boss, worker);
    worker.client.close();
    harness.clock.now += HOURS_MS;
    harness.bus.wake();
    expect(look(harness)).toBeLessThanOrEqual(LIMITS.returnGraceMs + 1);
    await settle();
    expect(told(watcher)).toEqual([]);
    harness.clock.now += LIMITS.returnGraceMs + 1;
    look(harness);
    await settle();
    expect(told(watcher)).toHaveLength(1);
  });

  test("waits anew for those who were there before a restart", async () => {
    const harness = await startBus();
    await join(harness, "worker", NAMED);
    const again = await harness.restart();
    again.clock.now += HOURS_MS;
    again.bus.wake();
    expect(look(again)).toBe(LIMITS.returnGraceMs + 1);
  });
});
