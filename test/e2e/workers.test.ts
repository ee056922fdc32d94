import { existsSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { connectWire, isAlive, killHard, startDaemon } from "./daemon-process.ts";
import { textOf } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import { openScene, sceneWorker, workerFile } from "./worker-scene.ts";

const ALL_PHASES = ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"];

test("an agent that knows nothing of the bus boots, works and completes as a worker", async () => {
  const { workspace, spawn } = await openScene();
  const worker = await spawn("tools", "--name", "handy");
  expect(await worker.complete()).toMatchObject({
    result: "ok",
    tool_calls: expect.any(Number),
    phases_completed: ALL_PHASES,
  });
  expect(worker.events("boot")).toMatchObject([{ mission_summary: "do something", capabilities: ["commands"] }]);
  expect(worker.phases()).toEqual(ALL_PHASES);
  const signals = worker.events("signal").map(({ signal }) => signal);
  expect(signals).toEqual(
    expect.arrayContaining(["turn_started", "tool_started", "tool_ended", "turn_ended", "exited"]),
  );
  expect(await worker.until("its end", (found) => found.length === 1, "system.worker.terminated")).toMatchObject([
    { pid: worker.pid, exit_code: 0, signal: null, expected: true },
  ]);
  expect(statSync(workerFile(workspace, worker.id, "job.json")).mode & 0o777).toBe(0o600);
  expect(readFileSync(workerFile(workspace, worker.id, "transcript.jsonl"), "utf8")).toContain('"type":"result"');
});

test("what an agent wants to do is asked for in every detail, and the answer reaches it", async () => {
  const { spawn } = await openScene();
  const worker = await spawn("permission");
  const [request] = await worker.until("its question", (found) => found.length > 0, "event");
  expect(request).toMatchObject({
    kind: "REQUEST",
    data: { request_type: "permission", tool: "Bash", command: "rm -rf build", cwd: expect.any(String) },
  });
  const id = await worker.command("approve", { correlation_id: request?.["request_id"] });
  expect(await worker.complete()).toMatchObject({ result: "ok", output: "The build is gone." });
  expect(worker.steps(id)).toEqual(["acked", "applied"]);
});

test("a refusal is told to the agent, and a question is answered with what was chosen", async () => {
  const { spawn } = await openScene();
  const refused = await spawn("permission");
  const [request] = await refused.until("its question", (found) => found.length > 0, "event");
  await refused.command("reject", { correlation_id: request?.["request_id"], reason: "not today" });
  expect(await refused.complete()).toMatchObject({ output: "I was not allowed to remove the build." });
  const asking = await spawn("question");
  const [question] = await asking.until("its question", (found) => found.length > 0, "event");
  expect(question).toMatchObject({ message: "Which colour?", data: { options: [{ id: "Red" }, { id: "Blue" }] } });
  await asking.command("approve", { correlation_id: question?.["request_id"], payload: { chosen: "Blue" } });
  expect(await asking.complete()).toMatchObject({ output: "The answer was: Blue" });
});

test("abort ends the agent at once, and what there is is reported", async () => {
  const { spawn } = await openScene();
  const worker = await spawn("hang");
  expect(worker.state).toBe("starting");
  await worker.until("its work", (found) => found.some(({ phase }) => phase === "OBSERVE"), "phase");
  const id = await worker.command("abort", { reason: "no longer needed" });
  expect(await worker.complete()).toMatchObject({ result: "cancelled", summary: "no longer needed" });
  await worker.until("the last step", (found) => found.some(({ step }) => step === "applied"), "command");
  expect(worker.steps(id)).toEqual(["acked", "applied"]);
  await worker.until("its end", (found) => found.length === 1, "system.worker.terminated");
  expect(isAlive(worker.pid)).toBe(false);
});

test("a paused agent stands still until it is resumed", async () => {
  const { spawn } = await openScene();
  const worker = await spawn({
    steps: [
      { type: "text", text: "One." },
      { type: "wait", ms: 60_000 },
    ],
  });
  await worker.until("its work", (found) => found.some(({ phase }) => phase === "OBSERVE"), "phase");
  const id = await worker.command("pause");
  const steps = await worker.until("the pause", (found) => found.some(({ step }) => step === "applied"), "command");
  const evidence = steps.find(({ step }) => step === "applied")?.["evidence"] as { value: string };
  const agent = Number.parseInt(evidence.value, 10);
  expect(textOf(`/proc/${agent}/stat`)).toMatch(/\) T /);
  expect(worker.steps(id)).toEqual(["acked", "applied"]);
  await worker.command("resume");
  await worker.until("the end of it", (found) => found.some(({ signal }) => signal === "resumed"), "signal");
  expect(textOf(`/proc/${agent}/stat`)).not.toMatch(/\) T /);
  await worker.command("abort", { reason: "enough" });
  await worker.complete();
});

test("a text reaches the agent while it works, and every step of it is reported", async () => {
  const { spawn } = await openScene();
  const worker = await spawn({
    steps: [
      { type: "permission", input: { command: "ls" } },
      { type: "text", text: "First." },
    ],
    later: [[{ type: "text", text: "You said: {{prompt}}" }]],
  });
  const [request] = await worker.until("its question", (found) => found.length > 0, "event");
  const id = await worker.command("inject_text", { text: "hello there" });
  await until("the text to be in the process", () => worker.steps(id).includes("injected"));
  await worker.command("approve", { correlation_id: request?.["request_id"] });
  expect(await worker.complete()).toMatchObject({ result: "ok", output: "First.\nYou said: hello there" });
  expect(worker.steps(id)).toEqual(["queued", "injected", "submitted", "acked", "applied"]);
});

test("a usage limit is waited for until it is over, and the work goes on", async () => {
  const { workspace, spawn } = await openScene();
  const worker = await spawn({
    steps: [{ type: "fail", status: 429, resets_in_ms: 1000 }],
    resumed: [{ type: "text", text: "Going on." }],
  });
  expect(await worker.complete()).toMatchObject({ result: "ok", output: "Going on." });
  const limited = worker.events("signal").find(({ signal }) => signal === "rate_limited");
  const [told = ""] = /"resetsAt":\d+/.exec(textOf(workerFile(workspace, worker.id, "transcript.jsonl")) ?? "") ?? [];
  const resetsAt = Number(told.split(":")[1]);
  expect(Date.parse(String(limited?.["until"]))).toBeGreaterThanOrEqual(resetsAt * 1000);
  expect(worker.phases()).toEqual(expect.arrayContaining(["RECOVER", "OBSERVE", "REFLECT"]));
});

test("an agent that fails makes a worker that has failed, and says why", async () => {
  const { spawn } = await openScene();
  for (const [scenario, error_class] of [
    ["auth-failure", "auth"],
    ["cut", "subprocess"],
  ] as const) {
    const worker = await spawn(scenario);
    const [event] = await worker.until(
      "its last word",
      (found) => found.some(({ severity }) => severity === "fatal"),
      "event",
    );
    expect(event).toMatchObject({ kind: "ERROR", data: { error_class } });
    expect(worker.phases().at(-1)).toBe("FAILED");
    expect(await worker.until("its end", (found) => found.length === 1, "system.worker.terminated")).toMatchObject([
      { exit_code: 1, expected: true },
    ]);
  }
});

test("a worker outlives its daemon, and everything it did is told once", async () => {
  const { workspace, daemon, spawn } = await openScene();
  const before = await spawn({
    steps: [
      { type: "text", text: "One." },
      { type: "wait", ms: 3000 },
      { type: "tool", name: "Bash", input: { command: "ls" }, output: "" },
      { type: "text", text: "Two." },
    ],
  });
  await before.until("its work", (found) => found.some(({ phase }) => phase === "OBSERVE"), "phase");
  await killHard(daemon.pid);
  expect(isAlive(before.pid)).toBe(true);
  const again = await startDaemon(workspace);
  const client = await connectWire(again.socket);
  const worker = sceneWorker({ workspace, client, orchestrator: "" }, before.id, before.pid);
  expect(await worker.complete()).toMatchObject({ result: "ok", output: "One.\nTwo." });
  expect(worker.phases()).toEqual(ALL_PHASES);
  expect(worker.events("boot")).toHaveLength(1);
  expect(worker.events("complete")).toHaveLength(1);
  expect(await worker.until("its end", (found) => found.length === 1, "system.worker.terminated")).toMatchObject([
    { pid: before.pid, expected: true },
  ]);
});

test("a worker that dies while no daemon runs is said to be gone by the next one", async () => {
  const { workspace, daemon, spawn } = await openScene();
  const before = await spawn("hang");
  await killHard(daemon.pid);
  await killHard(before.pid);
  const again = await startDaemon(workspace);
  const client = await connectWire(again.socket);
  const worker = sceneWorker({ workspace, client, orchestrator: "" }, before.id, before.pid);
  expect(await worker.until("its end", (found) => found.length === 1, "system.worker.terminated")).toMatchObject([
    { pid: before.pid, exit_code: null, signal: null, expected: false },
  ]);
});

test("a worker that is told to end says so before it goes", async () => {
  const { spawn } = await openScene();
  const worker = await spawn("hang");
  process.kill(worker.pid, "SIGTERM");
  const [event] = await worker.until(
    "its last word",
    (found) => found.some(({ severity }) => severity === "fatal"),
    "event",
  );
  expect(event).toMatchObject({ message: "ended by SIGTERM", data: { error_class: "terminated" } });
  await worker.until("its end", (found) => found.length === 1, "system.worker.terminated");
});

test("a name belongs to one worker that runs", async () => {
  const { workspace, spawn } = await openScene();
  const worker = await spawn("hang", "--name", "one");
  const body = await clawJson(workspace, ["spawn", "--harness", "fake", "--name", "one", "again"]);
  expect(body.error).toMatchObject({ code: "WORKER_NAME_TAKEN" });
  await worker.command("abort", { reason: "enough" });
  await worker.complete();
  await spawn("text", "--name", "one");
});

test("our own agent works as a worker too", async () => {
  const { workspace, client } = await openScene();
  const args = ["spawn", "--harness", "claw", "--model", "scripted", "--wait", "complete", "hello"];
  const body = await clawJson(workspace, args);
  expect(body.error).toBeUndefined();
  expect(body).toMatchObject({ state: "finished", result: "ok" });
  expect(existsSync(workerFile(workspace, String(body["peer_id"]), "transcript.jsonl"))).toBe(true);
  client.close();
});
