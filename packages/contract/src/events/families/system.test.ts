import { describe, expect, test } from "vitest";
import { readEvent } from "../read-event.ts";
import { schemaForTopic } from "../registry.ts";

const ts = "2026-04-27T12:00:00.123Z";
const call = "1b4e28ba-2fa1-4d3b-883f-0016d3cca427";

const task = {
  taskId: "t_001",
  title: "Audit",
  prompt: "Audit src/server.ts",
  assignee: "p_000002",
  assignedBy: "p_000001",
  status: "pending",
  assignedAt: 1_777_291_200_000,
  updatedAt: 1_777_291_200_000,
};
const step = { pipelineId: "pipe_0001", stepId: "s0", role: "source", terminalId: "5", state: "active", ts };
const pipeline = {
  pipelineId: "pipe_0001",
  name: "p",
  steps: [{ stepId: "s0", role: "source", terminalId: "5", state: "active" }],
  state: "active",
  createdAt: ts,
};
const wave = { waveId: "w1", peerName: "main", layers: ["bus"], manifest: ["lead"], started_at: ts };
const missionWorker = {
  id: "5",
  correlation_id: "c1",
  name: "w",
  spawned_at: ts,
  status: "spawned",
  idle_ms: 1,
  max_ms: 2,
  last_activity_at: ts,
};
const end = { terminalId: "5", command: "ls", exitCode: null, durationMs: 12, endedAt: ts };

/** Topic, a payload with the required fields only, and values that each of some fields may not have. */
const samples: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  ["system.peer.joined", { peerId: "p7", role: "worker", peerName: "audit-A", ts }, { role: "root", ts: "now" }],
  ["system.peer.left", { peerId: "p7", role: "worker", reason: "crash" }, { reason: "bored", peerId: "" }],
  ["system.peer.stale", { peerId: "p7", last_seen: 0, missed_heartbeats: 3 }, { last_seen: -1 }],
  ["system.gate.fired", { tool: "phase", reason: "illegal", peerId: "p7" }, { tool: "", reason: null }],
  ["system.budget.warning", { current_usd: 5.1, threshold_usd: 5 }, { current_usd: "5.1" }],
  ["system.malformed.received", { from: "p7", topic: "worker.p7.boot", error: null }, { from: 7 }],
  [
    "system.peer.connected",
    { peer_id: "p7", correlation_id: "c1", peer_name: "audit-A", role: "worker", ts },
    { role: "root", correlation_id: "" },
  ],
  ["system.broadcast", { text: "hurry" }, { text: "" }],
  [
    "system.command.accepted",
    { targetPeerId: "p7", cmdTopic: "cmd.p7.abort", from: "p1", ts },
    { targetPeerId: "", ts: "now" },
  ],
  ["system.terminal.closed", { terminal_id: "5", close_origin: "user", closed_at: ts }, { close_origin: "cat" }],
  ["task.assigned.p_000002", task, { status: "lost", title: "", assignedAt: ts }],
  ["task.t_001.assigned", task, { status: "lost" }],
  ["task.status", { taskId: "t_001", assignee: "p_000002", status: "in_progress" }, { status: "asleep" }],
  ["task.completed", { taskId: "t_001", status: "failed" }, { status: "running" }],
  ["task.cancel_requested.p_000002", { taskId: "t_001" }, { taskId: "" }],
  ["vehicle.5.state", { terminalId: "5", from: null, to: "PROVISIONING", ts }, { from: "OFF", to: null }],
  [
    "vehicle.5.content",
    { terminalId: "5", contentType: "claude", foregroundPid: null, detectedAt: ts },
    { contentType: "emacs", foregroundPid: -1 },
  ],
  ["command.5.start", { terminalId: "5", command: "ls", startedAt: ts }, { command: "" }],
  ["command.5.end", end, { exitCode: 1.5, durationMs: -1 }],
  ["pipeline.pipe_0001.step.s0", step, { role: "filter", state: "open" }],
  ["pipeline.pipe_0001.created", pipeline, { steps: 1, state: "closed" }],
  [
    "pipeline.pipe_0001.closed",
    { pipelineId: "pipe_0001", state: "closed", closedAt: ts, steps: pipeline.steps },
    { pipelineId: 1, state: "active", closedAt: 5 },
  ],
  ["system.heartbeat", { uptimeMs: 1, peers: 2, terminals: 0 }, { peers: 0.5, uptimeMs: -1 }],
  [
    "system.metrics",
    { publishRate_per_sec: 0.5, queueDepth: 0, peerCount: 1, eventLogLastSeq: 4, uptimeMs: 1, ts },
    { queueDepth: -1, eventLogLastSeq: "4" },
  ],
  [
    "system.peer.metrics.p_000002",
    { peerId: "p_000002", peerName: "w", droppedFrames: 0, rateLimitHits: 3, publishCount: 9, ts },
    { rateLimitHits: -1, publishCount: "9" },
  ],
  ["system.terminal.5.alive", { terminal_id: "5", ts }, { terminal_id: "" }],
  [
    "wave.w1.complete",
    { waveId: "w1", status: "ok", commits: [], regression_clean: true },
    { status: "fine", regression_clean: 1 },
  ],
  ["wave.w1.lead.boot", wave, { manifest: "boss", layers: null }],
  [
    "wave.w1.lead.complete",
    { waveId: "w1", status: "ok", commits: [], regression_clean: true },
    { status: "fine", regression_clean: 1 },
  ],
  ["wave.w1.joined", { waveId: "w1", peerId: "p7", peerName: "w", ts }, { peerId: "" }],
  ["wave.w1.violation", { waveId: "w1", ts }, { silentMs: -1, subWorker: "" }],
  [
    "lifecycle.planned",
    { plan: "p", worker_mode: "fleet", expected_workers: 2, ts },
    { worker_mode: "crowd", expected_workers: 0.5 },
  ],
  ["lifecycle.taken-over", { state: { phase: "PLAN", plan: "p" }, ts }, { state: 1 }],
  ["lifecycle.phase-changed", { from: "SESSION-BOOT", to: "PLAN", reason: "r", ts }, { to: "DONE", reason: "" }],
  ["lifecycle.reflected", { reflect: "less is more", ts }, { reflect: "" }],
  ["lifecycle.worker-spawned", missionWorker, { status: "odd", idle_ms: -1 }],
  ["lifecycle.worker-status", { terminal_id: "5", status: "closed", ts }, { status: "odd" }],
  [
    "lifecycle.monitor-registered",
    { terminal_id: "5", correlation_id: "c1", command: "w", armed_at: ts },
    { command: "" },
  ],
  ["lifecycle.monitor-removed", { terminal_id: "5", ts }, { terminal_id: "" }],
  ["lifecycle.monitor-intended", { correlation_id: "c1", ts }, { correlation_id: "" }],
  ["lifecycle.monitor-claimed", { correlation_id: "c1", peerId: "p7", ts }, { peerId: "" }],
  [
    "wave.w1.harvested",
    { waveId: "w1", orphaned_count: 0, closed_terminals: [], already_closed: ["5"], ts },
    { orphaned_count: -1, closed_terminals: "5" },
  ],
  ["rpc.p_000002.request", { requestId: call, method: "status", callerPeerId: "p_000001" }, { requestId: "r1" }],
  ["rpc.response.p_000001.r1", { requestId: call, ok: false }, { ok: "no" }],
];

describe.each(samples)("%s", (topic, data, wrong) => {
  const schema = schemaForTopic(topic)?.name;

  test("is read bare, with what it does not know", () => {
    const extended = { ...data, ts_server: ts, invented_later: 1 };
    expect(readEvent(topic, extended)).toEqual({
      ok: true,
      event: { topic, schema, data: extended, envelope: null },
    });
  });

  test.each(Object.keys(data))("requires %s", (field) => {
    const { [field]: _, ...rest } = data;
    expect(readEvent(topic, rest)).toMatchObject({ reason: "malformed", problems: [{ path: [field] }] });
  });

  test.each(Object.entries(wrong))("does not take this for %s: %j", (field, value) => {
    expect(readEvent(topic, { ...data, [field]: value })).toMatchObject({
      reason: "malformed",
      problems: [{ path: [field] }],
    });
  });
});
