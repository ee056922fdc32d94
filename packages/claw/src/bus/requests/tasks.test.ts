import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { BusHarness, Joined } from "../testing/bus-harness.ts";
import { join, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

const GIVEN = { cmd: "task.assign", title: "audit", prompt: "audit the server" };

interface Crew {
  readonly harness: BusHarness;
  readonly orchestrator: Joined;
  readonly worker: Joined;
}

async function crew(worker: Readonly<Record<string, unknown>> = {}): Promise<Crew> {
  const harness = await startBus();
  return { harness, orchestrator: await join(harness, "orchestrator"), worker: await join(harness, "worker", worker) };
}

const tasksOf = async (harness: BusHarness, filter: object = {}): Promise<unknown> =>
  (await request(harness.transport.connect(), { cmd: "task.list", ...filter }))["tasks"];

describe("tasks", () => {
  test("are told from assignment to completion, and known after a restart", async () => {
    const { harness, orchestrator, worker } = await crew();
    const watcher = await watch(harness, "task.**");
    const assigned = await request(orchestrator.client, { ...GIVEN, assignee: worker.id, timeoutMs: 60_000 });
    expect(assigned).toMatchObject({ ok: true, taskId: "t_001", assignedAt: harness.clock.now });
    harness.clock.now += 1000;
    const status = { cmd: "task.update", taskId: "t_001", status: "in_progress", progressPct: 40, note: "half" };
    expect(await request(worker.client, status)).toMatchObject({ ok: true });
    const end = { cmd: "task.complete", taskId: "t_001", status: "succeeded", result: { found: 2 } };
    expect(await request(worker.client, end)).toMatchObject({ ok: true });
    expect(await request(worker.client, end)).toMatchObject({ ok: true });
    expect(told(watcher)).toMatchObject([
      [`task.assigned.${worker.id}`, { taskId: "t_001", title: "audit", assignedBy: orchestrator.id }],
      ["task.status", { taskId: "t_001", assignee: worker.id, status: "in_progress", progressPct: 40, note: "half" }],
      ["task.completed", { taskId: "t_001", status: "succeeded", result: { found: 2 } }],
    ]);
    const restarted = await harness.restart();
    const expected = {
      taskId: "t_001",
      title: "audit",
      prompt: "audit the server",
      assignee: worker.id,
      assignedBy: orchestrator.id,
      status: "succeeded",
      progressPct: 40,
      note: "half",
      result: { found: 2 },
      assignedAt: harness.clock.now - 1000,
      updatedAt: harness.clock.now,
      completedAt: harness.clock.now,
      timeoutMs: 60_000,
    };
    expect(await tasksOf(restarted)).toEqual([expected]);
    expect(await tasksOf(restarted, { status: "running" })).toEqual([]);
    const [boss, hand] = [await join(restarted, "orchestrator"), await join(restarted, "worker")];
    expect(await request(boss.client, { ...GIVEN, assignee: hand.id })).toMatchObject({ taskId: "t_002" });
  });

  test("are updated and closed by an orchestrator too, and by no other worker", async () => {
    const { harness, orchestrator, worker } = await crew();
    const other = await join(harness, "worker");
    await request(orchestrator.client, { ...GIVEN, assignee: worker.id });
    const update = { cmd: "task.update", taskId: "t_001", status: "blocked" };
    expect(await request(other.client, update)).toMatchObject({ ok: false, error: "not your task" });
    expect(await request(orchestrator.client, update)).toMatchObject({ ok: true });
    const end = { cmd: "task.complete", taskId: "t_001", status: "skipped" };
    expect(await request(other.client, end)).toMatchObject({ ok: false, error: "not your task" });
    expect(await request(orchestrator.client, end)).toMatchObject({ ok: true });
    expect(await tasksOf(harness)).toMatchObject([{ taskId: "t_001", assignee: worker.id, status: "skipped" }]);
    expect(await request(orchestrator.client, { ...end, taskId: "t_9" })).toMatchObject({ code: "TASK_NOT_FOUND" });
  });

  test("refuse what the wire refuses, in its words", async () => {
    const { harness, orchestrator, worker } = await crew();
    const other = await join(harness, "worker");
    await request(orchestrator.client, { ...GIVEN, assignee: worker.id });
    const refusals: [Joined, object, string][] = [
      [orchestrator, { cmd: "task.assign", title: "x" }, "title, assignee, and prompt are required"],
      [orchestrator, { ...GIVEN, assignee: "p_0000ff" }, "assignee peer not found: p_0000ff"],
      [worker, { ...GIVEN, assignee: worker.id }, "requires role: orchestrator"],
      [worker, { cmd: "task.update", taskId: "t_009", status: "running" }, "task not found: t_009"],
      [other, { cmd: "task.update", taskId: "t_001", status: "running" }, "not your task"],
      [other, { cmd: "task.complete", taskId: "t_001", status: "failed" }, "not your task"],
      [worker, { cmd: "task.update", taskId: "t_001", status: "done" }, "payload:invalid"],
      [worker, { cmd: "task.complete", taskId: "t_001", status: "running" }, "payload:invalid"],
      [orchestrator, { cmd: "task.cancel", taskId: "t_009" }, "task not found: t_009"],
    ];
    for (const [{ client }, body, error] of refusals) {
      expect(await request(client, body as Record<string, unknown>)).toMatchObject({ ok: false, error });
    }
    await request(worker.client, { cmd: "task.complete", taskId: "t_001", status: "skipped" });
    expect(await request(worker.client, { cmd: "task.update", taskId: "t_001", status: "running" })).toMatchObject({
      error: "task already completed",
    });
  });

  test("give their topics to the assignee, who had none before", async () => {
    const { orchestrator, worker } = await crew();
    const say = { cmd: "publish", topic: "task.t_001.progress", payload: { n: 1 } };
    expect(await request(worker.client, say)).toMatchObject({ ok: false });
    await request(orchestrator.client, { ...GIVEN, assignee: worker.id });
    expect(await request(worker.client, say)).toMatchObject({ ok: true });
    expect(await request(worker.client, { ...say, topic: "task.t_002.progress" })).toMatchObject({ ok: false });
  });

  test("are not made or closed by what others publish under their topics", async () => {
    const { harness, orchestrator, worker } = await crew();
    await request(orchestrator.client, { ...GIVEN, assignee: worker.id });
    const forged = { cmd: "publish", topic: "task.completed", payload: { taskId: "t_001", status: "succeeded" } };
    await request(orchestrator.client, forged);
    expect(await tasksOf(harness)).toMatchObject([{ status: "pending" }]);
  });

  test("are typed into the assignee's terminal when asked to, and stored all the same", async () => {
    const { harness, orchestrator, worker } = await crew({ terminalId: "7" });
    const watcher = await watch(harness, "task.**");
    await request(orchestrator.client, { ...GIVEN, assignee: worker.id, deliver: "inject" });
    expect(harness.terminals.typed).toEqual([{ terminalId: "7", text: "audit the server", paste: true }]);
    expect(told(watcher)).toMatchObject([["task.t_001.assigned", { taskId: "t_001" }]]);
    expect(await tasksOf(await harness.restart())).toMatchObject([{ taskId: "t_001", status: "pending" }]);
  });

  test("can be asked back", async () => {
    const { harness, orchestrator, worker } = await crew();
    const watcher = await watch(harness, "task.cancel_requested.*");
    await request(orchestrator.client, { ...GIVEN, assignee: worker.id });
    await request(orchestrator.client, { cmd: "task.cancel", taskId: "t_001", reason: "no need" });
    expect(told(watcher)).toEqual([[`task.cancel_requested.${worker.id}`, { taskId: "t_001", reason: "no need" }]]);
    expect(await tasksOf(await harness.restart())).toMatchObject([
      { status: "pending", cancelRequested: true, cancelReason: "no need" },
    ]);
  });

  test("fail once when their time is over", async () => {
    const { harness, orchestrator, worker } = await crew();
    const watcher = await watch(harness, "task.completed");
    await request(orchestrator.client, { ...GIVEN, assignee: worker.id, timeoutMs: 5000 });
    harness.clock.now += 4999;
    harness.bus.checkDue();
    await settle();
    expect(told(watcher)).toEqual([]);
    harness.clock.now += 1;
    harness.bus.checkDue();
    harness.bus.checkDue();
    await settle();
    const failed = { taskId: "t_001", status: "failed", result: null, note: "timed out" };
    expect(told(watcher)).toEqual([["task.completed", failed]]);
  });

  test("fail at once with a worker that cannot come back", async () => {
    const { harness, orchestrator, worker } = await crew();
    await request(orchestrator.client, { ...GIVEN, assignee: worker.id });
    worker.client.close();
    await settle();
    expect(await tasksOf(harness)).toMatchObject([{ status: "failed", note: "assignee disconnected" }]);
  });

  test("wait for a worker that can, restarts included", async () => {
    const { harness, orchestrator, worker } = await crew({ instanceNonce: "n1" });
    await request(orchestrator.client, { ...GIVEN, assignee: worker.id });
    worker.client.close();
    await settle();
    const restarted = await harness.restart();
    restarted.clock.now += LIMITS.returnGraceMs;
    restarted.bus.checkDue();
    const back = await join(restarted, "worker", { instanceNonce: "n1" });
    expect(back.id).toBe(worker.id);
    restarted.clock.now += LIMITS.returnGraceMs * 2;
    restarted.bus.checkDue();
    expect(await request(back.client, { cmd: "task.update", taskId: "t_001", status: "running" })).toMatchObject({
      ok: true,
    });
    back.client.close();
    restarted.clock.now += LIMITS.returnGraceMs + 1;
    restarted.bus.checkDue();
    await settle();
    expect(await tasksOf(restarted)).toMatchObject([{ status: "failed", note: "assignee disconnected" }]);
  });
});
