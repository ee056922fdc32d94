import { DEFAULT_TOOLS } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { connectWire, startDaemon, stopAfterTest } from "./daemon-process.ts";
import type { McpScene, ToolData } from "./mcp-scene.ts";
import { connectMcp, ERAS } from "./mcp-scene.ts";
import { withQuestion } from "./fixer-scene.ts";
import { withWork } from "./work-scene.ts";
import { createWorkspace } from "./workspace.ts";

const rows = (data: ToolData, key: string): ToolData[] => data[key] as ToolData[];

async function firstWorker(scene: McpScene, input: Record<string, unknown>): Promise<ToolData> {
  const ran = await scene.call("claws_run", { harness: "fake", ...input });
  const [worker] = rows(ran, "workers");
  expect(worker).toBeDefined();
  return worker ?? {};
}

describe.each(ERAS)("a lead that speaks %s", (version) => {
  test("sees the default tools in their order, with hints and schemas, and what the server is", async () => {
    const { client, tools } = await connectMcp(createWorkspace(), { version });
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(DEFAULT_TOOLS));
    expect(client.getServerVersion()).toMatchObject({ name: "claws" });
    expect(client.getInstructions()?.length).toBeLessThanOrEqual(2000);
    for (const { inputSchema, outputSchema, annotations, title } of tools) {
      expect([inputSchema.type, outputSchema?.["type"], typeof title]).toEqual(["object", "object", "string"]);
      expect(annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
      });
    }
  });

  test("runs workers in parallel, and finds out how they are", async () => {
    const workspace = createWorkspace();
    await startDaemon(workspace);
    const scene = await connectMcp(workspace, { version });
    const workers = [{ mission: "say hello", name: "a" }, { mission: "say more" }];
    const started = await scene.call("claws_run", { workers, harness: "fake", wait_seconds: 0 });
    expect(rows(started, "workers")).toHaveLength(2);
    expect(await scene.call("claws_wait", { cursor: started["cursor"] })).toMatchObject({ status: "done" });
    expect(await scene.call("claws_workers")).toMatchObject({ total: 2, waiting: 0 });
    expect(await scene.call("claws_show", { worker: "a" })).toMatchObject({ worker: { name: "a" }, children: [] });
    const log = await scene.call("claws_log", { worker: "a" });
    expect(log).toMatchObject({ state: "finished", more: false });
    expect(log["text"]).toContain("say hello");
    const part = await scene.call("claws_log", { worker: "a", offset: 0, max_chars: 1 });
    expect(part).toMatchObject({ offset: 0, more: true });
    expect(part["next_offset"]).toBeGreaterThan(0);
    expect(await scene.call("claws_budget", { worker: "a", usd: 3 })).toMatchObject({
      changed: true,
      budgets: [{ scope: "worker", limit: { usd: 3 } }],
    });
    expect(await scene.call("claws_done")).toEqual({ ok: true, running: [], aborted: [] });
  });

  test("reads the diff of finished work, sends it back, and accepts it", async () => {
    const workspace = createWorkspace();
    await withWork(workspace);
    const scene = await connectMcp(workspace, { version });
    const diff = await scene.call("claws_diff", { worker: "fixer" });
    expect(diff).toMatchObject({ worker: "fixer", branch: "claw/fixer", files: [{ path: "b.txt", insertions: 1 }] });
    expect(diff["diff"]).toContain("+b");
    expect(await scene.call("claws_diff", { worker: "fixer", stat: true })).toMatchObject({ diff: "" });
    expect(await scene.call("claws_diff", { worker: "fixer", cursor: "0.abc" })).toMatchObject({
      error: { code: "INVALID_CURSOR" },
    });
    const accepted = await scene.call("claws_review", { worker: "fixer", decision: "accept", merge: true });
    expect(accepted).toMatchObject({ decision: "accept", effect: "updated" });
    expect(await scene.call("claws_review", { worker: "fixer", decision: "rework" })).toMatchObject({
      error: { code: "MISSING_ARGUMENT" },
    });
  });

  test("answers the question of a worker once, and only the question it has read", async () => {
    const workspace = createWorkspace();
    const id = await withQuestion(workspace);
    const scene = await connectMcp(workspace, { version });
    const [question] = rows(await scene.call("claws_approvals", { worker: "fixer" }), "approvals");
    expect(question).toMatchObject({ id, message: "push to which remote?" });
    const answer = { approval: id, decision: "approve", choice: "A" };
    expect(await scene.call("claws_answer", { ...answer, hash: "0" })).toMatchObject({
      error: { code: "APPROVAL_CHANGED" },
    });
    expect(await scene.call("claws_answer", { ...answer, hash: question?.["hash"] })).toMatchObject({
      decision: "approve",
      effect: "updated",
    });
    expect(await scene.call("claws_answer", { ...answer, decision: "reject", hash: question?.["hash"] })).toMatchObject(
      { error: { code: "APPROVAL_ANSWERED" } },
    );
    expect(await scene.call("claws_approvals")).toEqual({ approvals: [] });
  });

  test("sends a worker text and commands, and is told how far they came", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace);
    const worker = await connectWire(socket);
    const id = await worker.hello("worker", { peerName: "audit" });
    const obey = async (count: number, status: string): Promise<void> => {
      const { sequence } = await until("a command", () => worker.messages()[count]);
      await worker.ask({ cmd: "cmd.ack", seq: sequence, status });
    };
    const scene = await connectMcp(workspace, { version });
    const sent = await Promise.all([scene.call("claws_send", { id: "audit", text: "go on" }), obey(0, "executed")]);
    expect(sent[0]).toMatchObject({ id });
    const paused = await Promise.all([
      scene.call("claws_control", { worker: "audit", action: "pause" }),
      obey(1, "executed"),
    ]);
    expect(paused[0]).toEqual({ worker: id, action: "pause", step: "applied" });
    const refused = await Promise.all([
      scene.call("claws_control", { worker: "audit", action: "abort" }),
      obey(2, "rejected"),
    ]);
    expect(refused[0]).toMatchObject({ error: { code: "COMMAND_REFUSED" } });
    expect(await scene.call("claws_control", { worker: "nobody", action: "abort" })).toMatchObject({
      error: { code: "WORKER_NOT_FOUND", retryable: false },
    });
  });

  test("publishes and reads events without a gap between two calls", async () => {
    const workspace = createWorkspace();
    await startDaemon(workspace);
    const scene = await connectMcp(workspace, { version });
    const first = await scene.call("claws_publish", { topic: "note.a", payload: { n: 1 } });
    await scene.call("claws_publish", { topic: "note.a", payload: { n: 2 } });
    await scene.call("claws_publish", { topic: "note.a", payload: { n: 3 } });
    const page = await scene.call("claws_events", { topics: ["note.*"], since: "0000:0", limit: 2 });
    expect(rows(page, "events").map(({ sequence }) => sequence)).toHaveLength(2);
    expect(rows(page, "events")[0]).toMatchObject({ sequence: first["sequence"] });
    expect(page["more"]).toBe(true);
    const rest = await scene.call("claws_events", { topics: ["note.*"], since: page["cursor"], limit: 2 });
    expect(rows(rest, "events")).toHaveLength(1);
    const waiting = scene.call("claws_events", { topics: ["note.*"], since: rest["cursor"], wait_seconds: 40 });
    await scene.call("claws_publish", { topic: "note.b", payload: { n: 4 } });
    expect(rows(await waiting, "events")).toMatchObject([{ topic: "note.b" }]);
    expect(await scene.call("claws_publish", { topic: "system.x" })).toMatchObject({
      error: { code: "PUBLISH_FORBIDDEN" },
    });
  });
});

describe("without a daemon", () => {
  test("tools are listed, and a call says which command helps", async () => {
    const scene = await connectMcp(createWorkspace());
    expect(await scene.call("claws_workers")).toMatchObject({
      error: { code: "DAEMON_NOT_RUNNING", hint: "Start the daemon: claw up." },
    });
  });

  test("a call starts one with --start, and the next calls use the same", async () => {
    const workspace = createWorkspace();
    stopAfterTest(workspace);
    const scene = await connectMcp(workspace, { args: ["--start"] });
    const [one, two] = await Promise.all([scene.call("claws_workers"), scene.call("claws_workers")]);
    expect([one, two]).toMatchObject([{ total: 0 }, { total: 0 }]);
    const worker = await firstWorker(scene, { mission: "hello" });
    expect(worker).toMatchObject({ state: "finished" });
  });
});
