import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeScenarioText } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { connectWire, isAlive, killHard, readLog, startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import { endHostAfterTest, hostOf, printed, screenText } from "./terminal-wire.ts";
import type { SceneWorker, WorkerScene } from "./worker-scene.ts";
import { openScene, sceneWorker, workerFile } from "./worker-scene.ts";
import type { Workspace } from "./workspace.ts";

const TALKS: FakeScenarioText = {
  steps: [
    { type: "tool", name: "Bash", input: { command: "npm test" }, output: "green" },
    { type: "text", text: "The tests pass." },
  ],
  later: [[{ type: "text", text: "You said: {{prompt}}" }]],
};

const ASKS: FakeScenarioText = {
  steps: [
    {
      type: "permission",
      input: { command: "rm -rf build" },
      allowed: [{ type: "text", text: "The build is gone." }],
      denied: [{ type: "text", text: "The build stays." }],
    },
  ],
};

async function openInteractive(...daemonFlags: string[]): Promise<WorkerScene> {
  const scene = await openScene(...daemonFlags);
  endHostAfterTest(scene.workspace);
  return scene;
}

/** What `claw ps` says of a worker. */
async function seen(workspace: Workspace, id: string): Promise<Frame> {
  const { workers } = await clawJson(workspace, ["ps", "--all"]);
  return (workers as Frame[]).find(({ peer_id }) => peer_id === id) ?? {};
}

async function untilState(workspace: Workspace, id: string, state: string): Promise<Frame> {
  for (const deadline = Date.now() + 110_000; ;) {
    const worker = await seen(workspace, id);
    if (worker["state"] === state) return worker;
    if (Date.now() > deadline) throw new Error(`${id} never was ${state}, but ${JSON.stringify(worker)}`);
  }
}

/** What the agent reported. That its terminal draws something is told besides, when it does so for long. */
const reported = (worker: SceneWorker): Frame[] =>
  worker.events("signal").filter(({ signal, source }) => signal !== "activity" || source !== "terminal");
const signals = (worker: SceneWorker): unknown[] => reported(worker).map(({ signal }) => signal);
const turnsEnded = (count: number) => (found: readonly Frame[]) =>
  found.filter(({ signal }) => signal === "turn_ended").length >= count;

/** The terminal of a worker, and the process in it. */
async function terminalOf({ client }: WorkerScene, id: string): Promise<Frame> {
  const { terminals } = await client.ask({ cmd: "list" });
  return (terminals as Frame[]).find(({ workerId }) => workerId === id) ?? {};
}

const stepsOf = (workspace: Workspace, commandId: unknown): Frame[] =>
  readLog(workspace)
    .filter(({ topic }) => String(topic).startsWith("system.command."))
    .map(({ topic, payload }) => ({ step: String(topic).split(".")[2], ...(payload as Frame) }))
    .filter((step) => (step as Frame)["commandId"] === commandId);

test("an agent in a terminal reports what it does, waits for people, and is done when it is left", async () => {
  const scene = await openInteractive();
  const { workspace, client } = scene;
  const worker = await scene.spawn(TALKS, "--interactive", "--name", "talker");
  await worker.until("its turn", turnsEnded(1), "signal");
  expect(worker.events("boot")).toMatchObject([{ terminal_id: "1", capabilities: ["commands"] }]);
  expect(signals(worker)).toEqual(["turn_started", "tool_started", "tool_ended", "turn_ended", "needs_input"]);
  expect(reported(worker).every(({ source }) => source === "hook")).toBe(true);
  expect(reported(worker)[1]).toMatchObject({ detail: "Bash: npm test" });
  expect(await untilState(workspace, worker.id, "needs_input")).toMatchObject({
    phase: "OBSERVE",
    reason: "its prompt waits",
    terminal_id: "1",
  });
  expect(statSync(workerFile(workspace, worker.id, "hooks.sock")).mode & 0o777).toBe(0o600);
  client.send({ cmd: "send", id: "1", text: "/exit", paste: true });
  expect(await worker.complete()).toMatchObject({
    result: "ok",
    summary: "The tests pass.",
    num_turns: 1,
    tool_calls: 1,
  });
  await until("its process to end", () => !isAlive(worker.pid));
});

test("a text that is sent is typed, submitted, and taken by the agent, which says so", async () => {
  const scene = await openInteractive();
  const { workspace, client } = scene;
  const worker = await scene.spawn(TALKS, "--interactive");
  await worker.until("its turn", turnsEnded(1), "signal");
  const id = await worker.command("inject_text", { text: "and now the docs" });
  await until("the last step", () => stepsOf(workspace, id).some(({ step }) => step === "applied"));
  const steps = stepsOf(workspace, id);
  expect(steps.map(({ step }) => step)).toEqual(["accepted", "queued", "injected", "submitted", "acked", "applied"]);
  const acked = steps.find(({ step }) => step === "acked")?.["evidence"] as { value: number };
  expect(readLog(workspace).find(({ sequence }) => sequence === acked.value)).toMatchObject({
    payload: { data: { signal: "turn_started", source: "hook" } },
  });
  await printed(client, "1", "You said: and now the docs");
  expect(worker.events("command")).toEqual([]);
});

test("what the agent wants to do can be answered by whoever is not at its terminal", async () => {
  const scene = await openInteractive();
  const { workspace, client } = scene;
  const worker = await scene.spawn(ASKS, "--interactive");
  const [request] = await worker.until("its question", (found) => found.length > 0, "event");
  expect(request).toMatchObject({ kind: "REQUEST", data: { tool: "Bash", command: "rm -rf build" } });
  expect(await untilState(workspace, worker.id, "needs_input")).toMatchObject({ reason: "Bash: rm -rf build" });
  const { approvals } = await client.ask({ cmd: "approval.list" });
  const [approval] = approvals as Frame[];
  const answer = { cmd: "approval.answer", approvalId: approval?.["approvalId"], decision: "approve" };
  expect(await client.ask(answer)).toMatchObject({ ok: true });
  await worker.until("its turn", turnsEnded(1), "signal");
  await printed(client, "1", "The build is gone.");
  await untilState(workspace, worker.id, "needs_input");
});

test("no text answers a question for anybody: it waits, says why, and is typed when the prompt is back", async () => {
  const scene = await openInteractive();
  const { workspace, client } = scene;
  const asksFirst = { ...ASKS, terminal: { asks_first: ["Do you trust this folder?"] } };
  const worker = await scene.spawn(asksFirst, "--interactive");
  await worker.until("its boot", (found) => found.length > 0, "boot");
  await printed(client, "1", "Do you trust this folder?");
  const sent = clawJson(workspace, ["send", worker.id, "and now the docs", "--wait", "submitted"]);
  const held = (): Frame[] => readLog(workspace).filter(({ topic }) => topic === "system.command.held");
  await until("the reason", () => held().length > 0);
  expect(held()[0]).toMatchObject({ payload: { reason: "a question is open in the worker's terminal" } });
  expect(await screenText(client, "1")).not.toContain("Accepted");
  client.send({ cmd: "send", id: "1", text: "\r", newline: false });
  await printed(client, "1", "Accepted: Do you trust this folder?");
  await worker.until("its question", (found) => found.length > 0, "system.approval.opened");
  await printed(client, "1", "Do you want to proceed?");
  const { approvals } = await client.ask({ cmd: "approval.list" });
  expect(approvals).toMatchObject([{ status: "open" }]);
  expect(await screenText(client, "1")).not.toMatch(/and now the docs|The build/);
  const [approval] = approvals as Frame[];
  await client.ask({ cmd: "approval.answer", approvalId: approval?.["approvalId"], decision: "reject" });
  const { steps } = await sent;
  expect((steps as Frame[]).map(({ step }) => step)).toEqual(["accepted", "queued", "injected", "submitted"]);
  expect((steps as Frame[])[1]).toMatchObject({ reason: expect.any(String) as unknown });
  await printed(client, "1", "The build stays.");
});

test("what is decided at the terminal is asked of nobody else any more", async () => {
  const scene = await openInteractive();
  const { workspace, client } = scene;
  const worker = await scene.spawn(ASKS, "--interactive");
  await worker.until("its question", (found) => found.length > 0, "event");
  await printed(client, "1", "Do you want to proceed?");
  client.send({ cmd: "send", id: "1", text: "y", newline: false });
  await worker.until("its turn", turnsEnded(1), "signal");
  const expired = await worker.until("the end of the question", (found) => found.length > 0, "system.approval.expired");
  expect(expired).toMatchObject([{ reason: "withdrawn" }]);
  expect((await client.ask({ cmd: "approval.list" }))["approvals"]).toEqual([]);
  await untilState(workspace, worker.id, "needs_input");
});

test("a worker's process that is killed is started anew, and goes on with the agent that runs", async () => {
  const scene = await openInteractive();
  const { workspace, client } = scene;
  const worker = await scene.spawn(TALKS, "--interactive");
  await worker.until("its turn", turnsEnded(1), "signal");
  const before = await terminalOf(scene, worker.id);
  process.kill(worker.pid, "SIGKILL");
  const boots = await worker.until("its return", (found) => found.length === 2, "boot");
  expect(boots[1]).toMatchObject({ terminal_id: before["id"] });
  expect(await terminalOf(scene, worker.id)).toEqual(before);
  expect(isAlive(Number(before["pid"]))).toBe(true);
  await untilState(workspace, worker.id, "needs_input");
  client.send({ cmd: "send", id: String(before["id"]), text: "/exit", paste: true });
  expect(await worker.complete()).toMatchObject({ result: "ok", summary: "The tests pass.", num_turns: 1 });
});

test("an agent whose terminal was lost, or that was killed, is started anew in another", async () => {
  const scene = await openInteractive();
  const worker = await scene.spawn(TALKS, "--interactive", "--on-crash", "restart");
  await worker.until("its turn", turnsEnded(1), "signal");
  const before = await terminalOf(scene, worker.id);
  await killHard(Number(hostOf(scene.workspace)));
  const boots = await worker.until("its return", (found) => found.length === 2, "boot");
  expect(boots[1]?.["terminal_id"]).not.toBe(before["id"]);
  process.kill(Number((await terminalOf(scene, worker.id))["pid"]), "SIGKILL");
  await worker.until("its second return", (found) => found.length === 3, "boot");
  await worker.command("abort", { reason: "enough" });
  expect(await worker.complete()).toMatchObject({ result: "cancelled" });
});

test("a daemon that is killed changes nothing for the agent and its worker", async () => {
  const scene = await openInteractive();
  const { workspace, daemon } = scene;
  const worker = await scene.spawn(TALKS, "--interactive");
  await worker.until("its turn", turnsEnded(1), "signal");
  const before = await terminalOf(scene, worker.id);
  await killHard(daemon.pid);
  const { socket } = await startDaemon(workspace);
  const client = await connectWire(socket);
  const orchestrator = await client.hello("orchestrator", { capabilities: ["receipts"] });
  const again = { ...scene, client, orchestrator };
  await until(
    "the worker to be back",
    () =>
      readLog(workspace).filter(
        ({ topic, payload }) => topic === "system.peer.joined" && (payload as Frame)["peerId"] === worker.id,
      ).length > 1,
  );
  expect(await terminalOf(again, worker.id)).toMatchObject({ id: before["id"], pid: before["pid"] });
  const same = sceneWorker(again, worker.id, worker.pid);
  await same.command("inject_text", { text: "still there?" });
  await same.until("another turn", turnsEnded(2), "signal");
  expect(isAlive(worker.pid)).toBe(true);
  expect(same.events("boot")).toHaveLength(1);
});

test("abort closes the terminal, and pause holds the agent up until it is resumed", async () => {
  const scene = await openInteractive();
  const { workspace } = scene;
  const worker = await scene.spawn({ steps: [{ type: "hang" }] }, "--interactive");
  await worker.until("its turn", (found) => found.some(({ signal }) => signal === "turn_started"), "signal");
  const { pid } = await terminalOf(scene, worker.id);
  await worker.command("pause");
  await worker.until("the pause", (found) => found.some(({ signal }) => signal === "paused"), "signal");
  expect(readFileSync(`/proc/${String(pid)}/stat`, "utf8")).toMatch(/\) T /);
  await untilState(workspace, worker.id, "paused");
  await worker.command("resume");
  await worker.until("the end of it", (found) => found.some(({ signal }) => signal === "resumed"), "signal");
  const id = await worker.command("abort", { reason: "no longer needed" });
  expect(await worker.complete()).toMatchObject({ result: "cancelled", summary: "no longer needed" });
  await until("the last step", () => worker.steps(id).includes("applied"));
  expect(worker.steps(id)).toEqual(["acked", "applied"]);
  expect(isAlive(Number(pid))).toBe(false);
  expect(await terminalOf(scene, worker.id)).toEqual({});
});

test("an agent that ends before it has finished a turn has failed", async () => {
  const scene = await openInteractive();
  const scenario: FakeScenarioText = { steps: [{ type: "exit", code: 0 }] };
  const worker = await scene.spawn(scenario, "--interactive", "--on-crash", "alert");
  const [fatal] = await worker.until(
    "its failure",
    (found) => found.some(({ severity }) => severity === "fatal"),
    "event",
  );
  expect(fatal).toMatchObject({ message: "the agent ended before it had finished a turn" });
});

test("nothing is said to be submitted to an agent that takes no Enter", async () => {
  const scene = await openInteractive();
  const { workspace, client } = scene;
  const worker = await scene.spawn({ ...TALKS, terminal: { eats_enter: true } }, "--interactive");
  await worker.until("its turn", turnsEnded(1), "signal");
  const id = await worker.command("inject_text", { text: "are you there" });
  await until("the typing", () => stepsOf(workspace, id).some(({ step }) => step === "injected"));
  await printed(client, "1", "are you there");
  expect(stepsOf(workspace, id).map(({ step }) => step)).toEqual(["accepted", "queued", "injected"]);
  await worker.command("abort", { reason: "enough" });
  expect(await worker.complete()).toMatchObject({ result: "cancelled" });
  // Its terminal is gone and its worker has ended: whichever is noticed first ends the text.
  const ends = new Set<unknown>(["refused", "expired"]);
  await until("the text's end", () => stepsOf(workspace, id).some(({ step }) => ends.has(step)));
  const taken = stepsOf(workspace, id).map(({ step }) => (ends.has(step) ? "ended" : step));
  expect(taken).toEqual(["accepted", "queued", "injected", "ended"]);
});

test("our own agent in a terminal is given its mission, and tells its worker what it does", async () => {
  const scene = await openInteractive();
  const { workspace, client } = scene;
  const look = { type: "tool", name: "read_file", input: { path: "notes.txt" } };
  const turns = [{ blocks: [look] }, { blocks: [{ type: "text", text: "{{prompt}}" }] }];
  const script = join(workspace.home, "model.json");
  writeFileSync(script, JSON.stringify({ turns }));
  writeFileSync(join(workspace.cwd, "notes.txt"), "remember this");
  const flags = ["--harness", "claw", "--model", `scripted:${script}`, "--interactive"];
  const body = await clawJson(workspace, ["spawn", ...flags, "say this"]);
  const worker = sceneWorker(scene, String(body["peer_id"]), Number(body["pid"]));
  await worker.until("its turn", turnsEnded(1), "signal");
  expect(signals(worker)).toEqual(["turn_started", "tool_started", "tool_ended", "turn_ended", "needs_input"]);
  expect(reported(worker)[1]).toMatchObject({ source: "hook", detail: "read_file: notes.txt" });
  expect(await untilState(workspace, worker.id, "needs_input")).toMatchObject({ source: "hook" });
  client.send({ cmd: "send", id: String(body["terminal_id"]), text: "/exit" });
  expect(await worker.complete()).toMatchObject({ result: "ok", summary: "say this", num_turns: 1 });
});

test("a worker gets its terminal without a mission where older clients are served", async () => {
  const scene = await openInteractive("--policy", "compat");
  const { workspace, client } = scene;
  expect(await client.ask({ cmd: "create" })).toMatchObject({ ok: false, error: "lifecycle:plan-required" });
  const worker = await scene.spawn(TALKS, "--interactive", "--name", "talker");
  await worker.until("its turn", turnsEnded(1), "signal");
  expect(await untilState(workspace, worker.id, "needs_input")).toMatchObject({ terminal_id: "1" });
  await printed(client, "1", "The tests pass.");
  await worker.command("abort", { reason: "enough" });
  expect(await worker.complete()).toMatchObject({ result: "cancelled" });
});
