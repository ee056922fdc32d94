import { describe, expect, test } from "vitest";
import type { CommitListener, EventLog } from "../log/index.ts";
import { createMemoryLog } from "../log/index.ts";
import type { BusHarness, Frame, Joined } from "../testing/bus-harness.ts";
import { join, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

const phase = (to: string, prev: string | null): Frame => ({
  phase: to,
  prev,
  transition_reason: "test",
  phases_completed: [],
});

const say = ({ client, id }: Joined, action: string, payload: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `worker.${id}.${action}`, payload });

const order = ({ client }: Joined, to: Joined, action: string, payload: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `cmd.${to.id}.${action}`, payload });

const beat = (cost: number): Frame => ({
  current_phase: "PLAN",
  time_in_phase_ms: 0,
  tokens_used: 1,
  cost_usd: cost,
});

const BOOT: Frame = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };

async function crew(options: Parameters<typeof startBus>[0] = {}): Promise<[BusHarness, Joined, Joined]> {
  const harness = await startBus(options);
  return [harness, await join(harness, "orchestrator"), await join(harness, "worker", { instanceNonce: "n" })];
}

describe("set_phase", () => {
  test("permits one transition that the order of phases forbids, after a restart too", async () => {
    const [harness, boss, worker] = await crew();
    await say(worker, "phase", phase("PLAN", null));
    expect(await say(worker, "phase", phase("HARVEST", "PLAN"))).toMatchObject({ ok: false });
    await order(boss, worker, "set_phase", { phase: "HARVEST", reason: "skip" });
    const restarted = await harness.restart();
    const back = await join(restarted, "worker", { instanceNonce: "n" });
    expect(await say(back, "phase", phase("HARVEST", "PLAN"))).toMatchObject({ ok: true });
    expect(await say(back, "phase", phase("PLAN", "HARVEST"))).toMatchObject({ ok: false });
    expect(await say(back, "phase", phase("CLEANUP", "HARVEST"))).toMatchObject({ ok: true });
  });

  test("moves nothing by itself", async () => {
    const [, boss, worker] = await crew();
    await say(worker, "phase", phase("PLAN", null));
    await order(boss, worker, "set_phase", { phase: "HARVEST", reason: "skip" });
    expect(await request(boss.client, { cmd: "peers" })).toMatchObject({ peers: [{}, { phase: "PLAN" }] });
  });
});

describe("a worker that comes back", () => {
  test("is where it was: booted, in its phase, or ended", async () => {
    const [harness, , worker] = await crew();
    await say(worker, "boot", BOOT);
    await say(worker, "phase", phase("PLAN", null));
    await say(worker, "event", { kind: "ERROR", severity: "fatal", message: "gone" });
    const restarted = await harness.restart();
    const watcher = await watch(restarted, "system.peer.left", "system.gate.fired");
    const back = await join(restarted, "worker", { instanceNonce: "n" });
    expect(await request(watcher, { cmd: "peers" })).toMatchObject({
      peers: [{}, { peerId: worker.id, phase: "PLAN" }],
    });
    expect(await say(back, "boot", BOOT)).toMatchObject({ ok: false, error: "gate: a second boot" });
    back.client.close();
    await settle();
    expect(told(watcher)).toMatchObject([
      ["system.gate.fired", {}],
      ["system.peer.left", { reason: "clean" }],
    ]);
  });
});

describe("the budget", () => {
  const budget = { thresholdsUsd: [1, 5], capUsd: 6 };

  test("warns once for each threshold that all workers together cross, restarts included", async () => {
    const [harness, , worker] = await crew({ budget });
    const other = await join(harness, "worker");
    const watcher = await watch(harness, "system.budget.warning");
    await say(worker, "heartbeat", beat(0.8));
    await say(other, "heartbeat", beat(0.5));
    await say(other, "heartbeat", beat(0.5));
    await say(worker, "heartbeat", beat(0.9));
    expect(told(watcher)).toEqual([["system.budget.warning", { current_usd: 1.3, threshold_usd: 1 }]]);
    const restarted = await harness.restart();
    const again = await watch(restarted, "system.budget.warning");
    const back = await join(restarted, "worker", { instanceNonce: "n" });
    await say(back, "heartbeat", beat(1));
    expect(told(again)).toEqual([]);
    await say(back, "boot", BOOT);
    await say(back, "heartbeat", beat(4));
    expect(told(again)).toEqual([["system.budget.warning", { current_usd: 5.5, threshold_usd: 5 }]]);
  });

  test("stops what spends at the cap, and nothing that stops spending", async () => {
    const [harness, boss, worker] = await crew({ budget });
    const watcher = await watch(harness, "system.gate.fired");
    await say(worker, "heartbeat", beat(6));
    const refused = { ok: false, error: "budget: $6.00 spent, the cap is $6.00" };
    const task = { cmd: "task.assign", title: "t", prompt: "p", assignee: worker.id };
    expect(await order(boss, worker, "spawn", { name: "n", mission: "m" })).toMatchObject(refused);
    expect(await order(boss, worker, "resume", {})).toMatchObject(refused);
    expect(await order(boss, worker, "approve", { correlation_id: "r" })).toMatchObject(refused);
    expect(await order(boss, worker, "inject_text", { text: "go" })).toMatchObject(refused);
    expect(await request(boss.client, task)).toMatchObject(refused);
    const spawn = { targetPeerId: worker.id, cmdTopic: `cmd.${worker.id}.spawn`, idempotencyKey: "k" };
    expect(await request(boss.client, { cmd: "deliver-cmd", ...spawn })).toMatchObject(refused);
    const toAll = { cmd: "publish", topic: "cmd.role.worker", payload: { command: "resume" } };
    expect(await request(boss.client, toAll)).toMatchObject(refused);
    expect(told(watcher)).toHaveLength(7);
    expect(await order(boss, worker, "abort", { reason: "cost" })).toMatchObject({ ok: true });
    expect(await order(boss, worker, "pause", {})).toMatchObject({ ok: true });
    const typed = (text: string) => request(boss.client, { cmd: "broadcast", text, inject: true });
    expect(await typed("go on")).toMatchObject(refused);
    expect(await typed("[CLAWS_CMD r=r] approve_request: {}")).toMatchObject(refused);
    expect(await typed('[CLAWS_CMD r=r] abort: {"reason":"cost"}')).toMatchObject({ ok: true });
    expect(await typed("[CLAWS_CMD r=r] abort: {}\ngo on")).toMatchObject(refused);
    expect(await request(boss.client, { cmd: "broadcast", text: "only said" })).toMatchObject({ ok: true });
    expect(await order(boss, worker, "reject", { correlation_id: "r", reason: "cost" })).toMatchObject({ ok: true });
  });

  test("leaves out what was spent before its time", async () => {
    const [harness, , worker] = await crew({ budget: { thresholdsUsd: [1], since: "2026-01-01T00:01:00.000Z" } });
    const watcher = await watch(harness, "system.budget.warning");
    await say(worker, "heartbeat", beat(3));
    expect(told(watcher)).toEqual([]);
  });
});

/** A log that can be told to fail. */
function createFailingLog(): EventLog & { failing: boolean } {
  const log = createMemoryLog();
  const failing = {
    ...log,
    failing: false,
    append: (event: Parameters<EventLog["append"]>[0], listener: CommitListener) =>
      failing.failing ? queueMicrotask(() => listener.failed(new Error("disk full"))) : log.append(event, listener),
  };
  return failing;
}

describe("a failed commit", () => {
  test("of a warning leaves it to be given", async () => {
    const memory = createMemoryLog();
    let lost = 0;
    const isLost = (topic: string): boolean => topic === "system.budget.warning" && (lost += 1) === 1;
    const append: EventLog["append"] = (event, listener) =>
      isLost(event.topic) ? queueMicrotask(() => listener.failed(new Error("full"))) : memory.append(event, listener);
    const [harness, , worker] = await crew({ log: { ...memory, append }, budget: { thresholdsUsd: [1] } });
    const watcher = await watch(harness, "system.budget.warning");
    await say(worker, "heartbeat", beat(2));
    expect(told(watcher)).toEqual([]);
    await say(worker, "heartbeat", beat(3));
    expect(told(watcher)).toEqual([["system.budget.warning", { current_usd: 3, threshold_usd: 1 }]]);
  });

  test("leaves phase and rate as they were", async () => {
    const log = createFailingLog();
    const [, , worker] = await crew({ log, publishRate: 2 });
    await say(worker, "phase", phase("PLAN", null));
    log.failing = true;
    for (let n = 0; n < 5; n += 1) {
      expect(await say(worker, "phase", phase("SPAWN", "PLAN"))).toMatchObject({ error: "event-log:write-failed" });
    }
    log.failing = false;
    expect(await say(worker, "phase", phase("SPAWN", "PLAN"))).toMatchObject({ ok: true });
    expect(await say(worker, "phase", phase("DEPLOY", "SPAWN"))).toMatchObject({ error: "rate-limit-exceeded" });
  });

  test("takes back every one of several steps", async () => {
    const log = createFailingLog();
    const [, , worker] = await crew({ log });
    await say(worker, "phase", phase("PLAN", null));
    log.failing = true;
    const publish = (payload: Frame): void =>
      worker.client.send(JSON.stringify({ cmd: "publish", topic: `worker.${worker.id}.phase`, payload }));
    publish(phase("SPAWN", "PLAN"));
    publish(phase("DEPLOY", "SPAWN"));
    await settle();
    log.failing = false;
    expect(await say(worker, "phase", phase("SPAWN", "PLAN"))).toMatchObject({ ok: true });
  });
});

describe("the rate", () => {
  const note = ({ client }: Joined): Promise<Frame> => request(client, { cmd: "publish", topic: "note.x", payload: 1 });

  test("is not renewed by a new connection, and comes back when it was said to", async () => {
    const harness = await startBus({ publishRate: 2 });
    let boss = await join(harness, "orchestrator");
    expect([await note(boss), await note(boss)]).toMatchObject([{ ok: true }, { ok: true }]);
    boss.client.close();
    boss = await join(harness, "orchestrator", { peerName: "another" });
    expect(await note(boss)).toMatchObject({ ok: false, error: "rate-limit-exceeded", retry_after_ms: 500 });
    harness.clock.now += 499;
    expect(await note(boss)).toMatchObject({ ok: false, retry_after_ms: 1 });
    harness.clock.now += 1;
    expect(await note(boss)).toMatchObject({ ok: true });
  });

  test("of a flood leaves the same worker's heartbeats alone", async () => {
    const [, , worker] = await crew({ publishRate: 2 });
    const flood: Frame[] = [];
    for (let n = 0; n < 20; n += 1) {
      flood.push(await say(worker, "event", { kind: "LOG", severity: "info", message: `n ${n}` }));
    }
    expect(flood.filter(({ ok }) => ok === true)).toHaveLength(2);
    expect(await say(worker, "heartbeat", beat(0))).toMatchObject({ ok: true });
  });

  test("counts what a peer has reported about it: nonsense without end does not fill the log", async () => {
    const [harness, , worker] = await crew({ publishRate: 3 });
    const watcher = await watch(harness, "system.malformed.received");
    const answers: Frame[] = [];
    for (let n = 0; n < 6; n += 1) answers.push(await say(worker, "event", { kind: "NONSENSE" }));
    expect(answers.map(({ error }) => error)).toEqual([
      ...Array.from({ length: 3 }, () => "payload:invalid"),
      ...Array.from({ length: 3 }, () => "rate-limit-exceeded"),
    ]);
    expect(told(watcher)).toHaveLength(3);
  });

  test("holds for commands that store events, before a hello too", async () => {
    const [harness, boss] = await crew({ publishRate: 2 });
    const wave = (client: Joined["client"], waveId: string): Promise<Frame> =>
      request(client, { cmd: "wave.create", waveId, manifest: ["lead"] });
    const nobody = harness.transport.connect();
    for (const client of [boss.client, nobody]) {
      expect([await wave(client, "w1"), await wave(client, "w2"), await wave(client, "w3")]).toMatchObject([
        { ok: true },
        { ok: true },
        { ok: false, error: "rate-limit-exceeded", retry_after_ms: 500 },
      ]);
    }
    nobody.close();
    expect(await wave(harness.transport.connect(), "w4")).toMatchObject({ ok: false });
    expect(await request(boss.client, { cmd: "wave.status", waveId: "w1" })).toMatchObject({ ok: true });
  });
});
