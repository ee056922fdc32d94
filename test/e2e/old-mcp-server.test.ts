import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { OldMcpServer } from "../reliability/old-mcp-server.ts";
import { startOldMcp } from "../reliability/old-mcp-server.ts";
import type { Frame } from "./daemon-process.ts";
import { connectWire, killHard, startDaemon } from "./daemon-process.ts";
import { textOf } from "./provocations.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

async function scene(): Promise<{ workspace: Workspace; daemon: number; socket: string; mcp: OldMcpServer }> {
  const workspace = createWorkspace();
  const { pid, socket } = await startDaemon(workspace, "--policy", "compat");
  endHostAfterTest(workspace);
  return { workspace, daemon: pid, socket, mcp: await startOldMcp(socket) };
}

const topicsOf = (mcp: OldMcpServer): string[] => mcp.events().map(({ topic }) => topic);

const PLAN = { cmd: "lifecycle.plan", plan: "try it", workerMode: "single", expectedWorkers: 1 };

/** Runs a command as `claws_exec` does: by files, because the terminal shows more than the command printed. */
async function runByFiles({ home }: Workspace, mcp: OldMcpServer, id: string, command: string): Promise<string[]> {
  const base = join(home, "exec");
  const text = `{ ${command}; } > ${base}.out 2>&1; echo $? > ${base}.done`;
  expect(await mcp.once({ cmd: "send", id, text, newline: true })).toMatchObject({ ok: true });
  await until("the command to be done", () => textOf(`${base}.done`)?.endsWith("\n"));
  return [textOf(`${base}.out`) ?? "", textOf(`${base}.done`) ?? ""];
}

test("its terminal tools: create, list, send, exec, read_log, poll, close", async () => {
  const { workspace, mcp } = await scene();
  await mcp.tool("claws_create", { name: "w" });
  const create = { cmd: "create", name: "w", cwd: workspace.cwd, wrapped: true, show: true };
  expect(await mcp.once(create)).toMatchObject({ ok: false, error: expect.stringMatching(/^lifecycle:/) });
  expect(await mcp.once(PLAN)).toMatchObject({ ok: true, idempotent: false, state: { phase: "PLAN" } });
  const { id } = await mcp.once({ ...create, env: { CLAWS_WORKER: "1" }, correlation_id: crypto.randomUUID() });
  expect(id).toEqual(expect.stringMatching(/^\d+$/));
  expect((await mcp.once({ cmd: "list" }))["terminals"]).toMatchObject([{ id, name: "w" }]);
  expect(await runByFiles(workspace, mcp, String(id), "echo a-b; false")).toEqual(["a-b\n", "1\n"]);
  await mcp.once({ cmd: "send", id, text: "echo pasted", newline: true, paste: true });
  const read = { cmd: "readLog", id, strip: true, limit: 64 * 1024 };
  const page = await until("the pasted line", async () => {
    const answer = await mcp.once(read);
    return String(answer["bytes"]).split("pasted").length > 2 ? answer : undefined;
  });
  expect(page).toMatchObject({ ok: true, totalSize: expect.any(Number) });
  expect(await mcp.once({ cmd: "poll", since: 0 })).toMatchObject({ ok: true, events: expect.any(Array) });
  expect(await mcp.once({ cmd: "close", id, close_origin: "orchestrator" })).toMatchObject({ ok: true });
  await until("the news of the closing", () => topicsOf(mcp).includes("system.worker.terminated"));
  expect(topicsOf(mcp)).toContain("system.terminal.ready");
});

test("its way of starting a worker, from the announcement to the completion on the bus", async () => {
  const { socket, mcp } = await scene();
  await mcp.once(PLAN);
  const { id } = await mcp.once({ cmd: "create", name: "w", wrapped: true, show: true });
  const correlation = crypto.randomUUID();
  const about = { terminal_id: id, name: "w", wrapped: true, started_at: new Date().toISOString() };
  const spawned = { cmd: "publish", protocol: "claws/2", topic: "system.worker.spawned" };
  expect(await mcp.ask({ ...spawned, payload: { ...about, correlation_id: correlation } })).toMatchObject({ ok: true });
  const worker = { terminalId: String(id), correlationId: correlation };
  expect(await mcp.once({ cmd: "lifecycle.register-spawn", ...worker, name: "w" })).toMatchObject({ ok: true });
  expect(await mcp.once({ cmd: "lifecycle.register-monitor", ...worker, command: "watch" })).toMatchObject({
    ok: true,
  });
  expect((await mcp.once({ cmd: "lifecycle.snapshot" }))["state"]).toMatchObject({
    monitors: [{ terminal_id: id, correlation_id: correlation }],
  });
  const beat = { phase: "WORKING", tool_count: 1 };
  const heartbeat = { cmd: "publish", protocol: "claws/2", topic: `worker.${String(id)}.heartbeat`, payload: beat };
  expect(await mcp.ask(heartbeat)).toMatchObject({ rid: expect.any(Number) });
  // The worker's own agent publishes the end through a server of its own.
  const inside = await connectWire(socket);
  await inside.hello("worker", { peerName: "w" });
  const done = { cmd: "publish", topic: `worker.${String(id)}.complete`, payload: { status: "completed" } };
  await inside.ask(done);
  expect((await inside.ask({ cmd: "ping" }))["ok"]).toBe(true);
  const completed = { terminal_id: id, status: "completed", duration_ms: 5, marker_line: null };
  const end = { ...completed, correlation_id: correlation, completion_signal: "bus" };
  expect(
    await mcp.ask({ cmd: "publish", protocol: "claws/2", topic: "system.worker.completed", payload: end }),
  ).toMatchObject({ ok: true });
  const marked = { cmd: "lifecycle.mark-worker-status", terminalId: String(id), status: "completed" };
  expect(await mcp.once(marked)).toMatchObject({ ok: true, worker: { status: "completed" } });
  expect(await mcp.once({ cmd: "close", id, close_origin: "pub_complete" })).toMatchObject({ ok: true });
  expect(await mcp.once({ cmd: "lifecycle.reflect", reflect: "it worked" })).toMatchObject({ rid: expect.any(Number) });
});

/** The tools of missions, waves, tasks, commands, pipelines and schemas, and what each reads of its answer. */
test("its other tools read what they read in an answer", async () => {
  const { socket, mcp } = await scene();
  const worker = await connectWire(socket);
  const peerId = await worker.hello("worker", { peerName: "w" });
  const manifest = ["lead", "tester"];
  expect(await mcp.once({ cmd: "wave.create", waveId: "w1", layers: ["a"], manifest })).toMatchObject({ waveId: "w1" });
  expect(await mcp.once({ cmd: "wave.status", waveId: "w1" })).toMatchObject({
    complete: false,
    subWorkers: [{ role: "lead" }, { role: "tester" }],
  });
  expect(await mcp.once({ cmd: "wave.status", waveId: "w2" })).toMatchObject({
    ok: false,
    error: expect.stringContaining("not-found"),
  });
  const complete = { cmd: "wave.complete", waveId: "w1", summary: "s", commits: [], regressionClean: true };
  expect(await mcp.once(complete)).toMatchObject({ waveId: "w1", completedAt: expect.anything() });
  const assign = { cmd: "task.assign", protocol: "claws/2", title: "t", assignee: peerId, prompt: "p" };
  const { taskId } = await mcp.ask(assign);
  expect(taskId).toEqual(expect.any(String));
  expect(await mcp.ask({ cmd: "task.cancel", protocol: "claws/2", taskId, reason: "r" })).toMatchObject({ ok: true });
  expect((await mcp.ask({ cmd: "task.list", protocol: "claws/2" }))["tasks"]).toMatchObject([{ taskId }]);
  const command = { cmd: "deliver-cmd", protocol: "claws/2", targetPeerId: peerId, cmdTopic: `cmd.${peerId}.note` };
  const given = { ...command, payload: { text: "x" }, idempotencyKey: "k1" };
  const { seq } = await mcp.ask(given);
  expect(await mcp.ask(given)).toMatchObject({ seq, duplicate: true });
  expect(await worker.ask({ cmd: "cmd.ack", seq, status: "executed" })).toMatchObject({ ok: true });
  const steps = [
    { role: "source", terminalId: "1" },
    { role: "sink", terminalId: "2" },
  ];
  const { pipelineId } = await mcp.ask({ cmd: "pipeline.create", name: "pipeline", steps });
  expect((await mcp.once({ cmd: "pipeline.list" }))["pipelines"]).toMatchObject([{ pipelineId }]);
  expect(await mcp.ask({ cmd: "pipeline.close", pipelineId })).toMatchObject({ pipelineId });
  const [name] = (await mcp.once({ cmd: "schema.list" }))["schemas"] as string[];
  expect(await mcp.once({ cmd: "schema.get", name })).toMatchObject({ name, schema: expect.any(Object) });
  expect(await mcp.once({ cmd: "ping" })).toMatchObject({ serverTime: expect.any(Number) });
  expect(await mcp.once({ cmd: "introspect" })).toMatchObject({ ok: true, servers: expect.any(Array) });
  const call = { cmd: "rpc.call", protocol: "claws/2", targetPeerId: peerId, method: "none", timeoutMs: 50 };
  expect(await mcp.ask(call)).toMatchObject({ ok: false, error: "rpc.call:timeout" });
  expect(await mcp.ask({ cmd: "broadcast", protocol: "claws/2", text: "hi", targetRole: "worker" })).toMatchObject({
    deliveredTo: 1,
  });
});

test("its events come once and in order, and a new server takes the place of one whose daemon was killed", async () => {
  const { workspace, daemon, mcp } = await scene();
  await mcp.ask({ cmd: "subscribe", protocol: "claws/2", topic: "**" });
  const publish = (n: number): Promise<Frame> =>
    mcp.ask({ cmd: "publish", protocol: "claws/2", topic: "note.a", payload: { n }, echo: true });
  for (const n of [1, 2, 3]) expect(await publish(n)).toMatchObject({ ok: true, deliveredTo: expect.any(Number) });
  const notes = (): unknown[] =>
    mcp.events().flatMap(({ topic, payload }) => (topic === "note.a" ? [payload["n"]] : []));
  await until("its own events", () => notes().length === 3);
  expect(notes()).toEqual([1, 2, 3]);
  await killHard(daemon);
  const { socket } = await startDaemon(workspace, "--policy", "compat");
  const again = await startOldMcp(socket);
  onTestFinished(() => again.close());
  expect(again.peerId()).toMatch(/^(p|fp)_/);
  expect(await again.once({ cmd: "list" })).toMatchObject({ ok: true, terminals: [] });
});
