import { describe, expect, test } from "vitest";
import type { BusHarness, Frame } from "../testing/bus-harness.ts";
import { join, request, startBus, told, watch } from "../testing/bus-harness.ts";

const PLAN = { cmd: "lifecycle.plan", plan: " audit it ", workerMode: "single", expectedWorkers: 1 };

const ask = (harness: BusHarness, body: Frame): Promise<Frame> => request(harness.transport.connect(), body);

const spawn = (terminalId: string): Frame => ({
  cmd: "lifecycle.register-spawn",
  terminalId,
  correlationId: `c-${terminalId}`,
  name: `worker ${terminalId}`,
});
const monitor = (terminalId: string): Frame => ({
  cmd: "lifecycle.register-monitor",
  terminalId,
  correlationId: `c-${terminalId}`,
  command: "watch",
});
const mark = (terminalId: string, status: string): Frame => ({
  cmd: "lifecycle.mark-worker-status",
  terminalId,
  status,
});

const phaseOf = async (harness: BusHarness): Promise<unknown> =>
  ((await ask(harness, { cmd: "lifecycle.snapshot" }))["state"] as Frame | null)?.["phase"];

describe("lifecycle", () => {
  test("has the state object that clients read, the same after a restart", async () => {
    const harness = await startBus();
    harness.terminals.add("1");
    expect(await ask(harness, { cmd: "lifecycle.snapshot" })).toMatchObject({ ok: true, state: null });
    const ts = "2026-01-01T00:00:00.000Z";
    const planned = {
      v: 3,
      phase: "PLAN",
      phases_completed: ["SESSION-BOOT", "PLAN"],
      plan: "audit it",
      worker_mode: "single",
      expected_workers: 1,
      spawned_workers: [],
      monitors: [],
      workers: [],
      mission_n: 1,
      session_started_at: ts,
      mission_started_at: ts,
      failure_cause: null,
    };
    expect(await ask(harness, PLAN)).toMatchObject({ ok: true, idempotent: false, state: planned });
    expect(await ask(harness, { ...PLAN, plan: "other" })).toMatchObject({ idempotent: true, state: planned });
    await ask(harness, { cmd: "lifecycle.advance", to: "SPAWN" });
    const worker = {
      id: "1",
      correlation_id: "c-1",
      name: "worker 1",
      spawned_at: ts,
      status: "spawned",
      idle_ms: 600_000,
      max_ms: 14_400_000,
      last_activity_at: ts,
    };
    expect((await ask(harness, spawn("1")))["worker"]).toEqual(worker);
    const restarted = await harness.restart();
    expect((await ask(restarted, { cmd: "lifecycle.snapshot" }))["state"]).toEqual({
      ...planned,
      phase: "SPAWN",
      phases_completed: ["SESSION-BOOT", "PLAN", "SPAWN"],
      spawned_workers: [worker],
      workers: [{ id: "1", closed: false }],
    });
  });

  test("advances by itself as workers are watched, done and closed", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "lifecycle.phase-changed");
    await ask(harness, PLAN);
    await ask(harness, { cmd: "lifecycle.advance", to: "SPAWN", reason: "go" });
    await ask(harness, spawn("1"));
    expect(await phaseOf(harness)).toBe("SPAWN");
    await ask(harness, monitor("1"));
    expect(await phaseOf(harness)).toBe("DEPLOY");
    expect(await ask(harness, mark("1", "completed"))).toMatchObject({ worker: { status: "completed" } });
    expect(await phaseOf(harness)).toBe("CLEANUP");
    expect(await ask(harness, { cmd: "lifecycle.reflect", reflect: "fine" })).toMatchObject({
      ok: false,
      error: "lifecycle:reflect-gate",
      message: "1 terminal(s) still open: 1",
    });
    await ask(harness, mark("1", "closed"));
    expect(await ask(harness, { cmd: "lifecycle.reflect", reflect: "fine" })).toMatchObject({
      state: { phase: "REFLECT", reflect: "fine", workers: [{ id: "1", closed: true }] },
    });
    expect(told(watcher).map(([, payload]) => (payload as Frame)["to"])).toEqual([
      "SPAWN",
      "DEPLOY",
      "OBSERVE",
      "HARVEST",
      "CLEANUP",
      "REFLECT",
    ]);
    expect(await ask(await harness.restart(), PLAN)).toMatchObject({ state: { phase: "PLAN", mission_n: 2 } });
  });

  test.each([
    [{ ...PLAN, plan: " " }, "lifecycle:plan-empty"],
    [{ ...PLAN, workerMode: undefined }, "lifecycle:worker-mode-required"],
    [{ ...PLAN, workerMode: "crowd" }, "lifecycle:invalid-worker-mode"],
    [{ ...PLAN, expectedWorkers: undefined }, "lifecycle:expected-workers-required"],
    [{ ...PLAN, expectedWorkers: 0 }, "lifecycle:invalid-expected-workers"],
    [{ cmd: "lifecycle.advance", to: "SPAWN" }, "lifecycle:plan-required"],
    [{ cmd: "lifecycle.reflect", reflect: "" }, "lifecycle:reflect-empty"],
    [{ cmd: "lifecycle.reflect", reflect: "x" }, "lifecycle:plan-required"],
    [{ cmd: "lifecycle.register-spawn", name: "x" }, "lifecycle:register-spawn-args"],
    [spawn("1"), "lifecycle:no-state"],
    [{ cmd: "lifecycle.register-monitor" }, "lifecycle:register-monitor-args"],
    [monitor("1"), "lifecycle:no-state"],
    [{ cmd: "lifecycle.mark-worker-status", terminalId: "1" }, "lifecycle:mark-status-args"],
  ])("without a mission refuses %j", async (body, error) => {
    expect(await ask(await startBus(), body)).toMatchObject({ ok: false, error, message: expect.any(String) });
  });

  test("within a mission refuses what does not follow", async () => {
    const harness = await startBus();
    await ask(harness, PLAN);
    expect(await ask(harness, { cmd: "lifecycle.advance", to: "HARVEST" })).toMatchObject({
      error: "lifecycle:invalid-transition",
      message: "cannot go from PLAN to HARVEST; allowed: SPAWN, FAILED",
    });
    expect(await ask(harness, { cmd: "lifecycle.advance", to: "PLAN" })).toMatchObject({ ok: true, idempotent: true });
    expect(await ask(harness, { ...spawn("1"), correlationId: "" })).toMatchObject({
      error: "lifecycle:correlation-id-required",
    });
    await ask(harness, spawn("1"));
    expect(await ask(harness, { ...spawn("1"), correlationId: "other" })).toMatchObject({
      error: "lifecycle:correlation-id-conflict",
    });
    expect(await ask(harness, mark("9", "closed"))).toMatchObject({ ok: true, worker: null });
  });
});

describe("monitors", () => {
  test("are pending when announced, claimed while connected, and remembered", async () => {
    const harness = await startBus();
    const armed = (bus: BusHarness) => ask(bus, { cmd: "monitors.is-corr-armed", correlation_id: "c1" });
    expect(await armed(harness)).toMatchObject({ armed: false, claimed: false, pending: false, peerId: null });
    await ask(harness, { cmd: "monitors.register-intent", correlation_id: "c1" });
    const restarted = await harness.restart();
    expect(await armed(restarted)).toMatchObject({ armed: true, claimed: false, pending: true });
    const { client, id } = await join(restarted, "observer", { monitorCorrelationId: "c1" });
    expect(await armed(restarted)).toMatchObject({ armed: true, claimed: true, pending: false, peerId: id });
    client.close();
    expect(await armed(restarted)).toMatchObject({ armed: false });
    expect(await armed(await restarted.restart())).toMatchObject({ pending: false });
  });

  test.each(["monitors.register-intent", "monitors.is-corr-armed"])("%s wants a correlation id", async (cmd) => {
    expect(await ask(await startBus(), { cmd })).toMatchObject({ error: `${cmd}:missing-correlation_id` });
  });
});
