import { expect } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame, WireClient } from "../e2e/daemon-process.ts";

/** Whoever commands and whoever is commanded. */
export interface CommandScene {
  readonly boss: WireClient;
  readonly bossId: string;
  readonly worker: WireClient;
  readonly workerId: string;
}

/** What a command brings about, as others can tell. */
export interface Effect {
  /** The event that tells of it; undefined where a command only shows something. */
  readonly told?: { readonly topic: string; readonly payload: Frame };
  /** A question whose answer shows it; undefined where only the event does. */
  readonly shown?: { readonly question: Frame; readonly answer: Frame };
}

type Shown = NonNullable<Effect["shown"]>;

/** Does a command and says what has to be seen of it. Rows follow each other in one workspace. */
export type CommandRow = readonly [command: string, perform: (scene: CommandScene) => Promise<Effect>];

async function succeed(client: WireClient, frame: Frame): Promise<Frame> {
  const reply = await client.ask(frame);
  if (reply["ok"] !== true) throw new Error(`${JSON.stringify(frame)} was refused: ${JSON.stringify(reply)}`);
  return reply;
}

const among = (item: Frame): unknown => expect.arrayContaining([expect.objectContaining(item)]);

/** A command that only shows something shows everybody the same. */
const showing =
  (question: Frame, key: string) =>
  async ({ boss }: CommandScene): Promise<Effect> => {
    const reply = await succeed(boss, question);
    return { shown: { question, answer: { ok: true, [key]: reply[key] } } };
  };

const shownTask = (task: Frame): Shown => ({
  question: { cmd: "task.list" },
  answer: { ok: true, tasks: among(task) },
});

async function assign({ boss, workerId }: CommandScene, title: string): Promise<unknown> {
  const { taskId } = await succeed(boss, { cmd: "task.assign", title, assignee: workerId, prompt: "do it" });
  return taskId;
}

const TASKS: readonly CommandRow[] = [
  [
    "task.assign",
    async (scene) => {
      const taskId = await assign(scene, "assigned");
      const task = { taskId, title: "assigned", assignee: scene.workerId, assignedBy: scene.bossId, status: "pending" };
      return { told: { topic: `task.assigned.${scene.workerId}`, payload: task }, shown: shownTask(task) };
    },
  ],
  [
    "task.update",
    async (scene) => {
      const taskId = await assign(scene, "updated");
      const update = { taskId, status: "running", progressPct: 40, note: "half way" };
      await succeed(scene.worker, { cmd: "task.update", ...update });
      return { told: { topic: "task.status", payload: update }, shown: shownTask(update) };
    },
  ],
  [
    "task.complete",
    async (scene) => {
      const taskId = await assign(scene, "completed");
      const done = {
        taskId,
        status: "succeeded",
        result: { found: 2 },
        artifacts: [{ type: "md", path: "/tmp/a.md" }],
      };
      await succeed(scene.worker, { cmd: "task.complete", ...done });
      return { told: { topic: "task.completed", payload: done }, shown: shownTask(done) };
    },
  ],
  [
    "task.cancel",
    async (scene) => {
      const taskId = await assign(scene, "cancelled");
      await succeed(scene.boss, { cmd: "task.cancel", taskId, reason: "no longer wanted" });
      return {
        told: { topic: `task.cancel_requested.${scene.workerId}`, payload: { taskId, reason: "no longer wanted" } },
        shown: shownTask({ taskId, cancelRequested: true, cancelReason: "no longer wanted" }),
      };
    },
  ],
  ["task.list", showing({ cmd: "task.list" }, "tasks")],
];

/** Answers the next call that reaches the worker. */
async function answerCall({ worker, workerId }: CommandScene): Promise<unknown> {
  const call = await until("the call", () =>
    worker.messages().find(({ topic }) => topic === `rpc.${workerId}.request`),
  );
  const { requestId, callerPeerId } = call["payload"] as Frame;
  const answer = { requestId, ok: true, result: { sum: 3 } };
  await succeed(worker, {
    cmd: "publish",
    topic: `rpc.response.${String(callerPeerId)}.${String(requestId)}`,
    payload: answer,
  });
  return requestId;
}

const MESSAGES: readonly CommandRow[] = [
  [
    "deliver-cmd",
    async ({ boss, worker, workerId }) => {
      const cmdTopic = `cmd.${workerId}.pause`;
      const question = {
        cmd: "deliver-cmd",
        targetPeerId: workerId,
        cmdTopic,
        payload: { why: "tea" },
        idempotencyKey: "k",
      };
      const { seq } = await succeed(boss, question);
      await until("the command", () => worker.messages().find(({ sequence }) => sequence === seq));
      return {
        told: { topic: cmdTopic, payload: { why: "tea" } },
        shown: { question, answer: { ok: true, duplicate: true, seq } },
      };
    },
  ],
  [
    "cmd.ack",
    async ({ worker, workerId }) => {
      await succeed(worker, { cmd: "cmd.ack", seq: 1, status: "executed", correlation_id: "r1" });
      const payload = { seq: 1, status: "executed", workerPeerId: workerId, correlation_id: "r1" };
      return { told: { topic: `cmd.${workerId}.ack`, payload } };
    },
  ],
  [
    "rpc.call",
    async (scene) => {
      const { boss, bossId, workerId } = scene;
      const calling = succeed(boss, { cmd: "rpc.call", targetPeerId: workerId, method: "add", params: { a: 1, b: 2 } });
      const requestId = await answerCall(scene);
      expect(await calling).toMatchObject({ requestId, result: { ok: true, result: { sum: 3 } } });
      const data = { requestId, ok: true, result: { sum: 3 } };
      return { told: { topic: `rpc.response.${bossId}.${String(requestId)}`, payload: { from_peer: workerId, data } } };
    },
  ],
];

const SNAPSHOT = { cmd: "lifecycle.snapshot" };

/** A command of the mission, the event that tells of it, and what the mission looks like afterwards. */
const mission = (frame: Frame & { cmd: string }, told: NonNullable<Effect["told"]>, state: Frame): CommandRow => [
  frame.cmd,
  async ({ boss }) => {
    await succeed(boss, frame);
    return { told, shown: { question: SNAPSHOT, answer: { ok: true, state: expect.objectContaining(state) } } };
  },
];

const WORKER = { terminalId: "7", correlationId: "c7" };

const MISSION: readonly CommandRow[] = [
  mission(
    { cmd: "lifecycle.plan", plan: "audit it", workerMode: "single", expectedWorkers: 1 },
    { topic: "lifecycle.planned", payload: { plan: "audit it", worker_mode: "single", expected_workers: 1 } },
    { phase: "PLAN", plan: "audit it" },
  ),
  mission(
    { cmd: "lifecycle.advance", to: "SPAWN", reason: "planned" },
    { topic: "lifecycle.phase-changed", payload: { from: "PLAN", to: "SPAWN", reason: "planned" } },
    { phase: "SPAWN" },
  ),
  ["lifecycle.snapshot", showing(SNAPSHOT, "state")],
  mission(
    { cmd: "lifecycle.register-spawn", ...WORKER, name: "audit-A" },
    { topic: "lifecycle.worker-spawned", payload: { id: "7", correlation_id: "c7", name: "audit-A" } },
    { spawned_workers: among({ id: "7", correlation_id: "c7", name: "audit-A", status: "spawned" }) },
  ),
  mission(
    { cmd: "lifecycle.register-monitor", ...WORKER, command: "watch 7" },
    { topic: "lifecycle.monitor-registered", payload: { terminal_id: "7", correlation_id: "c7", command: "watch 7" } },
    { phase: "DEPLOY", monitors: among({ terminal_id: "7", command: "watch 7" }) },
  ),
  mission(
    { cmd: "lifecycle.mark-worker-status", terminalId: "7", status: "closed" },
    { topic: "lifecycle.worker-status", payload: { terminal_id: "7", status: "closed" } },
    { phase: "REFLECT", spawned_workers: among({ id: "7", status: "closed" }) },
  ),
  mission(
    { cmd: "lifecycle.reflect", reflect: "it went well" },
    { topic: "lifecycle.reflected", payload: { reflect: "it went well" } },
    { phase: "REFLECT", reflect: "it went well" },
  ),
];

const armed = (correlation: string): Shown => ({
  question: { cmd: "monitors.is-corr-armed", correlation_id: correlation },
  answer: { ok: true, armed: true, claimed: false, pending: true, peerId: null },
});

const MONITORS: readonly CommandRow[] = [
  [
    "monitors.register-intent",
    async ({ boss }) => {
      await succeed(boss, { cmd: "monitors.register-intent", correlation_id: "c8" });
      const told = { topic: "lifecycle.monitor-intended", payload: { correlation_id: "c8" } };
      return { told, shown: armed("c8") };
    },
  ],
  ["monitors.is-corr-armed", showing({ cmd: "monitors.is-corr-armed", correlation_id: "c8" }, "pending")],
];

const WAVE = { question: { cmd: "wave.status", waveId: "w1" } };

const WAVES: readonly CommandRow[] = [
  [
    "wave.create",
    async ({ boss, bossId }) => {
      await succeed(boss, { cmd: "wave.create", waveId: "w1", layers: ["api"], manifest: ["lead", "tester"] });
      const payload = { waveId: "w1", layers: ["api"], manifest: ["lead", "tester"] };
      const answer = { ok: true, waveId: "w1", layers: ["api"], leadPeerId: bossId, complete: false };
      return { told: { topic: "wave.w1.lead.boot", payload }, shown: { ...WAVE, answer } };
    },
  ],
  ["wave.status", showing(WAVE.question, "subWorkers")],
  [
    "wave.complete",
    async ({ boss }) => {
      const end = { waveId: "w1", summary: "done", commits: ["abc"], regressionClean: true };
      const { completedAt } = await succeed(boss, { cmd: "wave.complete", ...end });
      const payload = { waveId: "w1", status: "ok", commits: ["abc"], regression_clean: true };
      const answer = { ok: true, complete: true, ...end, completedAt };
      return { told: { topic: "wave.w1.complete", payload }, shown: { ...WAVE, answer } };
    },
  ],
];

const STEPS = [
  { role: "source", terminalId: "1" },
  { role: "sink", terminalId: "2" },
];

const shownPipeline = (pipeline: Frame): Shown => ({
  question: { cmd: "pipeline.list" },
  answer: { ok: true, pipelines: among(pipeline) },
});

const PIPELINES: readonly CommandRow[] = [
  [
    "pipeline.create",
    async ({ boss }) => {
      const { pipelineId } = await succeed(boss, { cmd: "pipeline.create", name: "join", steps: STEPS });
      const pipeline = { pipelineId, name: "join", state: "active" };
      return {
        told: { topic: `pipeline.${String(pipelineId)}.created`, payload: pipeline },
        shown: shownPipeline(pipeline),
      };
    },
  ],
  ["pipeline.list", showing({ cmd: "pipeline.list" }, "pipelines")],
  [
    "pipeline.close",
    async ({ boss }) => {
      const { pipelineId } = await succeed(boss, { cmd: "pipeline.create", name: "short", steps: STEPS });
      await succeed(boss, { cmd: "pipeline.close", pipelineId });
      const told = { topic: `pipeline.${String(pipelineId)}.closed`, payload: { pipelineId } };
      return { told, shown: shownPipeline({ pipelineId, name: "short", state: "closed" }) };
    },
  ],
];

export const COMMAND_ROWS: readonly CommandRow[] = [
  ...TASKS,
  ...MESSAGES,
  ...MISSION,
  ...MONITORS,
  ...WAVES,
  ...PIPELINES,
];
