import type { Verb } from "claw-contract";
import { verbId } from "claw-contract";
import { DEFAULT_TOOLS, OLD_TOOLS, VERBS } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import { chooseSeed } from "../reliability/random.ts";
import { connectWire, startDaemon } from "./daemon-process.ts";
import { part } from "./effort.ts";
import type { McpScene, ToolData } from "./mcp-scene.ts";
import { connectMcp, FACES, workspaceFor } from "./mcp-scene.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import { makeRepository } from "./work-scene.ts";
import { createWorkspace } from "./workspace.ts";

const verbToolName = (name: string): string => `claw_${verbId(name).replaceAll("-", "_")}`;

/** Names of claws 0.8, as its documentation lists them. */
const OLD_NAMES =
  `claws_list claws_create claws_send claws_exec claws_read_log claws_poll claws_close claws_worker claws_fleet
  claws_workers_wait claws_hello claws_subscribe claws_publish claws_broadcast claws_ping claws_peers claws_lifecycle_plan
  claws_lifecycle_advance claws_lifecycle_snapshot claws_lifecycle_reflect claws_wave_create claws_wave_status
  claws_wave_complete claws_deliver_cmd claws_cmd_ack claws_schema_list claws_schema_get claws_rpc_call claws_task_assign
  claws_task_update claws_task_complete claws_task_cancel claws_task_list claws_drain_events claws_pipeline_create
  claws_pipeline_list claws_pipeline_close claws_done claws_dispatch_subworker claws_set_bin claws_get_bin`
    .trim()
    .split(/\s+/);

test("--tools all lists the default tools, all names of claws 0.8, and one for every verb, in this order", async () => {
  const { tools } = await connectMcp(createWorkspace(), { args: ["--tools", "all"] });
  const names = tools.map(({ name }) => name);
  expect(names).toEqual([
    ...Object.keys(DEFAULT_TOOLS),
    ...Object.keys(OLD_TOOLS),
    ...Object.values(VERBS).map(({ name }) => verbToolName(name)),
  ]);
  expect(new Set(names).size).toBe(names.length);
  expect(OLD_NAMES.filter((name) => !names.includes(name))).toEqual([]);
  for (const { name, outputSchema, annotations } of tools) {
    expect([name, outputSchema?.["type"], typeof annotations?.readOnlyHint]).toEqual([name, "object", "boolean"]);
  }
});

test("every tool refuses an argument that it does not know, by its name", async () => {
  const { call, tools } = await connectMcp(createWorkspace(), { version: "2025-11-25", args: ["--tools", "all"] });
  const taken: string[] = [];
  for (const { name } of tools) {
    const { error } = await call(name, { no_such_thing: 1 });
    const { code = "", message = "" } = (error ?? {}) as { code?: string; message?: string };
    const isRefused =
      message.includes("no_such_thing: unknown argument") && /^(UNKNOWN_OPTION|INVALID_FLAG_VALUE)$/.test(code);
    if (!isRefused) taken.push(name);
  }
  expect(taken).toEqual([]);
  const workers = [{ name: "a", mission: "x", boot_marker: "y", no_such_thing: 1 }];
  expect(await call("claws_fleet", { workers })).toMatchObject({
    error: { code: "UNKNOWN_OPTION", message: expect.stringContaining("workers.0.no_such_thing: unknown") as unknown },
  });
});

const ALL = { args: ["--tools", "all"], path: "/mcp/all" } as const;

describe.each(part(FACES, FACES.length, chooseSeed()))(
  "to a client of $version over $over, the tools of claws 0.8",
  (face) => {
    async function open(): Promise<McpScene> {
      const workspace = workspaceFor(face);
      endHostAfterTest(workspace);
      await startDaemon(workspace);
      return connectMcp(workspace, { ...face, ...ALL });
    }

    test("open, use and close terminals", async () => {
      const { call } = await open();
      const created = await call("claws_create", { name: "t", wrapped: true });
      expect(created).toMatchObject({ ok: true, name: "t" });
      const id = created["terminal_id"];
      expect(await call("claws_exec", { id, command: "echo seen" })).toMatchObject({ exit_code: 0, output: "seen\n" });
      expect((await call("claws_read_log", { id, lines: 5 }))["text"]).toContain("seen");
      expect(await call("claws_list")).toMatchObject({ terminals: [{ id }] });
      expect(await call("claws_poll")).toMatchObject({ events: [{ commandLine: "echo seen" }] });
      expect(await call("claws_send", { id, text: "x", newline: false })).toMatchObject({ step: "typed" });
      const other = await call("claws_worker", { name: "shell", command: "echo hi" });
      const steps = [
        { role: "source", terminalId: id },
        { role: "sink", terminalId: other["terminal_id"] },
      ];
      const { pipelineId } = await call("claws_pipeline_create", { name: "p", steps });
      expect(await call("claws_pipeline_list")).toMatchObject({ pipelines: [{ pipelineId }] });
      expect(await call("claws_pipeline_close", { pipelineId })).toMatchObject({ pipelineId });
      expect(await call("claws_close", { id })).toMatchObject({ alreadyClosed: false });
      expect(await call("claws_close", { id: "99" })).toMatchObject({ alreadyClosed: true });
    });

    test("and those of verbs refuse what no command line could hold, with an error of the catalogue", async () => {
      const { call } = await open();
      const refused = { error: { code: "INVALID_FLAG_VALUE" } };
      expect(await call("claws_create", { name: "t", cwd: "a\0b" })).toMatchObject(refused);
      expect(await call("claw_export", { sessionId: "latest", path: "a\0b" })).toMatchObject(refused);
      expect(await call("claw_terminal_create", { program: ["a", "b\0"] })).toMatchObject(refused);
      const long = { name: "t", cwd: "x".repeat(10_000) };
      expect(await call("claws_create", long)).toMatchObject({ error: { code: "FILESYSTEM_ERROR" } });
    });

    test("start workers and wait for them", async () => {
      const { call } = await open();
      expect(await call("claws_get_bin")).toEqual({ bin: "auto" });
      expect(await call("claws_set_bin", { name: "fake" })).toEqual({ bin: "fake" });
      expect(await call("claws_set_bin", { name: "nothing" })).toMatchObject({ error: { code: "INVALID_FLAG_VALUE" } });
      expect(await call("claws_worker", { name: "w", mission: "hello", detach: false })).toMatchObject({
        ok: true,
        name: "w",
        status: "finished",
      });
      const workers = ["x", "y"].map((name) => ({ name, mission: "hello" }));
      expect(await call("claws_fleet", { workers })).toMatchObject({
        fleet_size: 2,
        workers: [{ name: "x" }, { name: "y" }],
      });
      expect(await call("claws_workers_wait", { terminal_ids: ["x", "y"] })).toMatchObject({
        ok: true,
        complete: 2,
        pending: [],
      });
      expect(await call("claws_workers_wait", { terminal_ids: ["nobody"] })).toMatchObject({
        error: { code: "WORKER_NOT_FOUND" },
      });
      expect(await call("claws_dispatch_subworker", { waveId: "v", role: "tester", mission: "hello" })).toMatchObject({
        ok: true,
        name: "v-tester",
        role: "tester",
      });
    });

    test("join the bus, drain each event once, and give tasks", async () => {
      const workspace = workspaceFor(face);
      const { socket } = await startDaemon(workspace);
      const worker = await connectWire(socket);
      const assignee = await worker.hello("worker", { peerName: "hand" });
      const { call } = await connectMcp(workspace, { ...face, ...ALL });
      expect(await call("claws_hello", { role: "orchestrator", peerName: "lead" })).toMatchObject({
        rootOrchestratorPresent: true,
      });
      expect(await call("claws_hello", { role: "observer" })).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
      expect(await call("claws_ping")).toHaveProperty("serverTime");
      expect((await call("claws_peers"))["peers"]).toHaveLength(2);
      expect(await call("claws_subscribe", { topic: "note.*" })).toHaveProperty("resumeCursor");
      const said = ['"quoted",\n"payload":{"n":0}', "é,\u2028}", "it is password=hunter22x"];
      for (const text of said) await call("claws_publish", { topic: "note.a", payload: { text } });
      const one = await call("claws_drain_events", { max: 2 });
      const two = await call("claws_drain_events", { since_index: one["total_received"] });
      const seen = [one, two].flatMap(({ events }) => events as ToolData[]);
      const heard = [...said.slice(0, 2), "it is password=[REDACTED]"].map((text) => ({ text }));
      expect(seen.map(({ payload }) => (payload as { data: unknown }).data)).toEqual(heard);
      expect((await call("claws_drain_events", { since_index: two["total_received"], wait_ms: 1 }))["events"]).toEqual(
        [],
      );

      const { taskId } = await call("claws_task_assign", { title: "t", assignee, prompt: "do it" });
      expect(await call("claws_task_update", { taskId, status: "in_progress", progressPct: 50 })).toEqual({ ok: true });
      expect(await call("claws_task_cancel", { taskId })).toEqual({ ok: true });
      expect(await call("claws_task_complete", { taskId, status: "succeeded", result: "done" })).toEqual({ ok: true });
      expect(await call("claws_task_list", { assignee })).toMatchObject({ tasks: [{ taskId, status: "succeeded" }] });
      expect(await call("claws_broadcast", { text: "hear", targetRole: "worker" })).toMatchObject({ deliveredTo: 1 });
      const command = { targetPeerId: assignee, cmdTopic: `cmd.${assignee}.pause`, payload: {}, idempotencyKey: "k" };
      expect(await call("claws_deliver_cmd", command)).toHaveProperty("seq");
      expect(await call("claws_deliver_cmd", command)).toMatchObject({ duplicate: true });
      expect(await call("claws_cmd_ack", { seq: 1, status: "executed" })).toHaveProperty("error");
      expect(await call("claws_rpc_call", { targetPeerId: "p_99", method: "m" })).toHaveProperty("error");
      expect((await call("claws_schema_list"))["schemas"]).toContain("worker-boot-v1");
      expect(await call("claws_schema_get", { name: "worker-boot-v1" })).toMatchObject({ name: "worker-boot-v1" });
    });

    test("plan a mission and run a wave", async () => {
      const { call } = await open();
      expect(await call("claws_lifecycle_plan", { plan: "do it" })).toMatchObject({ state: { phase: "PLAN" } });
      expect(await call("claws_lifecycle_advance", { to: "SPAWN" })).toBeDefined();
      expect(await call("claws_lifecycle_snapshot")).toMatchObject({ state: { plan: "do it" } });
      expect(await call("claws_lifecycle_reflect", { reflect: "too early" })).toBeDefined();
      expect(await call("claws_wave_create", { waveId: "v", manifest: ["lead"] })).toMatchObject({ waveId: "v" });
      expect(await call("claws_wave_status", { waveId: "v" })).toMatchObject({ waveId: "v" });
      expect(await call("claws_wave_complete", { waveId: "v", summary: "done" })).toMatchObject({ waveId: "v" });
    });
  },
);

describe.each(part(FACES, FACES.length, chooseSeed()))(
  "to a client of $version over $over, the tools of the verbs",
  (face) => {
    /** Inputs of verbs that need some, or would wait without. */
    const INPUTS: Readonly<Record<string, object>> = {
      "exec-command": { command: "help" },
      events: { limit: 3 },
      export: { sessionId: "none" },
      logs: { worker: "none" },
      diff: { worker: "none" },
      "load-session": { sessionId: "none" },
      "parse-stream": { file: "none" },
      route: { prompt: "review" },
      schema: { name: "ps.output" },
      "show-command": { name: "help" },
      "show-tool": { name: "read_file" },
      "wave status": { wave: "none" },
      wait: { workers: ["none"] },
    };
    /** Verbs that last until they are stopped, or ask a model. */
    const LASTING = new Set(["stream-events", "doctor", "demo", "prompt", "chat", "run", "turn-loop", "bootstrap"]);

    test("answer within their schemas; those that change something, dry", async () => {
      const workspace = workspaceFor(face);
      makeRepository(workspace);
      await startDaemon(workspace);
      const { call, tools } = await connectMcp(workspace, { ...face, ...ALL });
      const all = Object.values(VERBS) as unknown as readonly Verb[];
      const verbs = all.filter(({ name, plays }) => !LASTING.has(name) && plays !== true);
      expect(verbs.length).toBeGreaterThan(60);
      const failed: string[] = [];
      for (const { name, effect } of verbs) {
        const dry = effect === "read" ? {} : { dryRun: true };
        const data = await call(verbToolName(name), { ...dry, ...INPUTS[name] });
        const code = data.error?.code;
        if (code === "INTERNAL_ERROR") failed.push(name);
      }
      expect(failed).toEqual([]);
      expect(await call("claw_ps")).toMatchObject({ workers_count: 0 });
      expect(await call("claw_up", { foreground: true })).toMatchObject({ error: { code: "INTERACTIVE_ONLY" } });
      expect(await call("claw_mcp_serve")).toMatchObject({ error: { code: "INTERACTIVE_ONLY" } });
      expect(tools.find(({ name }) => name === "claw_down")?.annotations?.destructiveHint).toBe(true);
    });
  },
);
