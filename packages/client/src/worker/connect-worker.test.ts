import { CLIENT_LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import type { EventItem } from "../subscriptions/bus-item.ts";
import { connectObserver } from "../create-client.ts";
import { connectOrchestrator } from "../orchestrator/connect-orchestrator.ts";
import { createManualTimer } from "../testing/manual-timer.ts";
import { startMemoryBus } from "../testing/real-bus.ts";
import { takeEvents } from "../testing/take.ts";
import { settled } from "../testing/settled.ts";
import { connectWorker } from "./connect-worker.ts";
import type { WorkerOptions } from "./worker.ts";

const BOOT = { model: "sonnet", mission_summary: "audit src", cwd: "/repo" };

async function begin(more: Partial<WorkerOptions> = {}) {
  const { channel } = await startMemoryBus();
  const timer = createManualTimer();
  const observer = connectObserver({ channel, name: "watch" });
  const orchestrator = connectOrchestrator({ channel, name: "main" });
  const events = observer.subscribe("worker.**");
  await Promise.all([observer.ready(), orchestrator.ready()]);
  await observer.request("ping");
  const worker = connectWorker({ channel, name: "audit", timer, ...more });
  onTestFinished(async () => {
    await Promise.all([worker.close(), observer.close(), orchestrator.close()]);
  });
  const { peerId } = await worker.ready();
  return { worker, orchestrator, events, timer, peerId };
}

const told = ({ topic, data }: EventItem): [string, unknown] => [topic.split(".").at(-1) ?? "", data];

test("a worker goes from boot to complete as its bus expects it", async () => {
  const { worker, events, timer, peerId } = await begin({ parentId: "p_000002", terminalId: "5" });
  await worker.boot(BOOT);
  for (const phase of ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"] as const) {
    timer.advance(1000);
    await worker.phase(phase, `to ${phase}`);
  }
  expect(worker.currentPhase()).toBe("REFLECT");
  await worker.complete({ summary: "done", total_tokens: 7 });
  const seen = await takeEvents(events, 9);
  const phases_completed = ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"];
  expect(told(seen[0] as EventItem)).toEqual([
    "boot",
    { ...BOOT, role: "worker", terminal_id: "5", parent_peer_id: "p_000002" },
  ]);
  expect(seen[3]).toMatchObject({
    topic: `worker.${peerId}.phase`,
    envelope: { parent_id: "p_000002", terminal_id: "5", from_peer: peerId, from_name: "audit" },
    data: {
      phase: "DEPLOY",
      prev: "SPAWN",
      transition_reason: "to DEPLOY",
      phases_completed: ["PLAN", "SPAWN", "DEPLOY"],
    },
  });
  expect(told(seen[8] as EventItem)).toEqual([
    "complete",
    { result: "ok", summary: "done", artifacts: [], phases_completed, duration_ms: 7000, total_tokens: 7 },
  ]);
});

test("an illegal transition is refused here with the words of the bus, and nothing is sent", async () => {
  const { worker, peerId } = await begin();
  const here = await worker.phase("DEPLOY", "too early").catch((error: Error) => error);
  const raw = { phase: "DEPLOY", prev: null, transition_reason: "too early", phases_completed: [] };
  const there = await worker.publish(`worker.${peerId}.phase`, raw).catch((error: Error) => error);
  expect(here).toMatchObject({ code: "GATE_REFUSED", message: "gate: illegal transition (start) → DEPLOY" });
  expect(there).toMatchObject({ code: "GATE_REFUSED", message: "gate: illegal transition (start) → DEPLOY" });
  await worker.phase("PLAN", "in order");
});

test("a phase that the bus refuses is taken back", async () => {
  const { worker, peerId } = await begin();
  const raw = { phase: "PLAN", prev: null, transition_reason: "by hand", phases_completed: [] };
  await worker.publish(`worker.${peerId}.phase`, raw);
  await expect(worker.phase("PLAN", "again")).rejects.toMatchObject({ code: "GATE_REFUSED" });
  expect(worker.currentPhase()).toBeNull();
});

test("heartbeats tell phase, time and usage from boot until a terminal phase", async () => {
  const { worker, events, timer } = await begin();
  await worker.boot(BOOT);
  await worker.phase("PLAN", "begin");
  worker.report({ tokens_used: 120, cost_usd: 0.5 });
  timer.advance(CLIENT_LIMITS.heartbeatMs);
  await worker.flush();
  await settled();
  await worker.phase("FAILED", "lost");
  for (const _ of [1, 2, 3]) {
    timer.advance(CLIENT_LIMITS.heartbeatMs);
    await settled();
  }
  await worker.event("LOG", "still here");
  const [boot, plan, beat, failed, log] = await takeEvents(events, 5);
  expect([boot, plan, failed, log].map((event) => told(event as EventItem)[0])).toEqual([
    "boot",
    "phase",
    "phase",
    "event",
  ]);
  expect(told(beat as EventItem)).toEqual([
    "heartbeat",
    {
      current_phase: "PLAN",
      time_in_phase_ms: CLIENT_LIMITS.heartbeatMs,
      tokens_used: 120,
      cost_usd: 0.5,
      last_event_id: plan?.envelope?.id,
    },
  ]);
});

test("nothing waits for its time once the worker is closed", async () => {
  const { worker, timer } = await begin();
  await worker.boot(BOOT);
  await worker.close();
  await settled();
  expect(timer.waiting()).toBe(0);
});

test.each([
  ["approve", { approved: true, payload: { chosen: "B" }, action: "approve" }],
  ["unblock", { approved: true, payload: { chosen: "B" }, action: "unblock" }],
] as const)("a question is answered by %s", async (action, answer) => {
  const { worker, orchestrator, events, peerId } = await begin();
  const asked = worker.ask({ message: "rewrite or patch?", options: [{ id: "A" }, { id: "B" }] });
  const [question] = await takeEvents(events, 1);
  const { request_id } = (question as EventItem).data as { request_id: string };
  expect(question?.data).toEqual({
    kind: "REQUEST",
    severity: "info",
    message: "rewrite or patch?",
    request_id,
    data: { request_type: "decision", options: [{ id: "A" }, { id: "B" }] },
  });
  await orchestrator[action](peerId, request_id, { chosen: "B" });
  expect(await asked).toMatchObject(answer);
});

test("an obstacle is answered by a rejection, with its reason", async () => {
  const { worker, orchestrator, peerId } = await begin();
  const blocked = worker.blocked({ message: "needs approval", blocking_resource: "approval", request_id: "r1" });
  await worker.flush();
  await orchestrator.reject(peerId, "r1", "too dear");
  expect(await blocked).toMatchObject({ approved: false, reason: "too dear", action: "reject" });
});

test("a question without an answer ends in time, and one that cannot be asked at once", async () => {
  const { worker, timer } = await begin();
  const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
  const asked = failure(worker.ask({ message: "anybody?", timeoutMs: 5000 }));
  timer.advance(5000);
  expect(await asked).toMatchObject({ code: "TIMEOUT" });
  await expect(worker.ask({ message: "" })).rejects.toMatchObject({ code: "PUBLISH_INVALID" });
  await expect(worker.ask({ message: "no", signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "CANCELLED" });
  const open = failure(worker.ask({ message: "closing" }));
  await worker.flush();
  await worker.close();
  expect(await open).toMatchObject({ code: "BUS_CLOSED" });
});

test("commands to the worker and its role come in one stream, without answers", async () => {
  const { worker, orchestrator, peerId } = await begin();
  const asked = worker.ask({ message: "go?", request_id: "r1" });
  await worker.flush();
  await orchestrator.pause(peerId);
  await orchestrator.approve(peerId, "r1");
  await orchestrator.broadcast("abort", { reason: "end of day" });
  await asked;
  const commands = worker.commands();
  const seen = [await commands.next(), await commands.next()].map(({ value }) => value);
  expect(seen).toHaveLength(2);
  expect(seen).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: "pause", from: orchestrator.peerId() }),
      expect.objectContaining({ action: "abort", data: { command: "abort", reason: "end of day" } }),
    ]),
  );
  await worker.close();
  expect(await commands.next()).toMatchObject({ done: true });
});

test("a command sent the moment the worker joined reaches it once", async () => {
  const { channel } = await startMemoryBus();
  const orchestrator = connectOrchestrator({ channel, name: "main" });
  const joined = orchestrator.subscribe("system.peer.joined");
  await takeEvents(joined, 1);
  const worker = connectWorker({ channel, name: "audit" });
  onTestFinished(async () => {
    await Promise.all([worker.close(), orchestrator.close()]);
  });
  const [{ data } = { data: {} }] = await takeEvents(joined, 1);
  const { peerId } = data as { peerId: string };
  await orchestrator.pause(peerId);
  await orchestrator.resume(peerId);
  const commands = worker.commands();
  const actions = [await commands.next(), await commands.next()].map(
    ({ value }) => (value as { action: string }).action,
  );
  expect(actions).toEqual(["pause", "resume"]);
});

test("set_phase lets one forbidden transition pass, here and on the bus", async () => {
  const { worker, orchestrator, peerId } = await begin();
  await worker.phase("PLAN", "begin");
  await orchestrator.setPhase(peerId, "HARVEST", "skip ahead");
  const { value } = await worker.commands().next();
  expect(value).toMatchObject({ action: "set_phase" });
  await worker.phase("HARVEST", "as told");
  expect(worker.currentPhase()).toBe("HARVEST");
});

test("the last will is a fatal heartbeat and a fatal error", async () => {
  const { worker, events } = await begin();
  await worker.boot(BOOT);
  await worker.fatal("out of budget", { error_class: "UsageLimitExceeded" });
  const [, beat, error] = await takeEvents(events, 3);
  expect(told(beat as EventItem)).toMatchObject(["heartbeat", { severity: "fatal", message: "out of budget" }]);
  expect(told(error as EventItem)).toEqual([
    "event",
    { kind: "ERROR", severity: "fatal", message: "out of budget", data: { error_class: "UsageLimitExceeded" } },
  ]);
  await expect(worker.complete({ summary: "after all" })).rejects.toMatchObject({ code: "GATE_REFUSED" });
});
