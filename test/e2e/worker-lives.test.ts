import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { connectWire, isAlive, killHard, readLog } from "./daemon-process.ts";
import { textOf } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import { openScene, sceneWorker, workerFile } from "./worker-scene.ts";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd,
    encoding: "utf8",
  }).trim();

/** Processes that another has started; undefined while there are none. */
function childrenOf(pid: number): number[] | undefined {
  const list = (textOf(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").filter((word) => word !== "");
  return list.length === 0 ? undefined : list.map(Number);
}

test("a worker that is started anew is the same peer, knows of it, and its end is told once for each life", async () => {
  const { client, spawn } = await openScene();
  const worker = await spawn({
    steps: [{ type: "text", text: "Hm." }, { type: "hang" }],
    resumed: [{ type: "text", text: "{{prompt}}" }],
  });
  await worker.until("its work", (found) => found.some(({ phase }) => phase === "OBSERVE"), "phase");
  const reply = await client.ask({ cmd: "worker.restart", peerId: worker.id, reason: "it hung" });
  expect(reply).toMatchObject({ ok: true, peerId: worker.id, attempt: 2 });
  const complete = await worker.complete();
  expect(complete).toMatchObject({ result: "ok", output: expect.stringContaining("Why: it hung.") });
  expect(worker.events("boot")).toHaveLength(2);
  expect(worker.events("system.worker.spawned")).toMatchObject([{ attempt: 1 }, { attempt: 2, reason: "it hung" }]);
  const ends = await worker.until("both ends", (found) => found.length === 2, "system.worker.terminated");
  expect(ends).toMatchObject([
    { pid: worker.pid, expected: true },
    { exit_code: 0, expected: true },
  ]);
});

test("an abort that crosses a new start ends the worker", async () => {
  const { client, spawn } = await openScene();
  const worker = await spawn("hang");
  const restarted = client.ask({ cmd: "worker.restart", peerId: worker.id, reason: "it hung" });
  await worker.command("abort", { reason: "enough" });
  const lives = (await restarted)["ok"] === true ? 2 : 1;
  await worker.until("every life to end", (ends) => ends.length === lives, "system.worker.terminated");
  expect(worker.events("system.worker.spawned")).toHaveLength(lives);
});

test("a command that comes before the worker has joined is obeyed, in its first life and in the next, once", async () => {
  const { client, orchestrator, workspace } = await openScene();
  const started = await client.ask({ cmd: "worker.spawn", harness: "fake", mission: "wait", scenario: "hang" });
  const worker = sceneWorker({ client, orchestrator, workspace }, String(started["peerId"]), Number(started["pid"]));
  const first = await worker.command("pause");
  const stepsOf = (id: string) =>
    worker.until("both steps", (found) => found.filter(({ command_id }) => command_id === id).length === 2, "command");
  await stepsOf(first);
  expect(await client.ask({ cmd: "worker.restart", peerId: worker.id, reason: "it hung" })).toMatchObject({ ok: true });
  const second = await worker.command("pause");
  await stepsOf(second);
  expect([worker.steps(first), worker.steps(second)]).toEqual([
    ["acked", "applied"],
    ["acked", "applied"],
  ]);
  await worker.command("abort", { reason: "enough" });
  expect(await worker.complete()).toMatchObject({ result: "cancelled" });
});

test("a worker that is killed takes its agent with it", async () => {
  const { workspace, spawn } = await openScene();
  const worker = await spawn("hang");
  const command = await worker.command("pause");
  const steps = await worker.until("the pause", (found) => found.some(({ step }) => step === "applied"), "command");
  const evidence = steps.find(({ step, command_id }) => step === "applied" && command_id === command)?.["evidence"];
  const agent = Number.parseInt((evidence as { value: string }).value, 10);
  expect(isAlive(agent)).toBe(true);
  await killHard(worker.pid);
  expect(await worker.until("its end", (found) => found.length === 1, "system.worker.terminated")).toMatchObject([
    { pid: worker.pid, signal: "SIGKILL", expected: false },
  ]);
  expect(isAlive(agent)).toBe(false);
  expect(existsSync(workerFile(workspace, worker.id, "worker.log"))).toBe(true);
});

test("a worker that waits for a usage limit goes on waiting when it is started anew", async () => {
  const { client, spawn } = await openScene();
  const resetsAt = Math.ceil(Date.now() / 1000) + 6;
  const worker = await spawn({
    steps: [
      { type: "event", event: { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt } } },
      { type: "fail", status: 429 },
    ],
    resumed: [{ type: "text", text: "Going on." }],
  });
  await worker.until("the limit", (found) => found.some(({ signal }) => signal === "rate_limited"), "signal");
  expect(await client.ask({ cmd: "worker.restart", peerId: worker.id, reason: "test" })).toMatchObject({ ok: true });
  expect(await worker.complete()).toMatchObject({ result: "ok", output: "Going on." });
  const limited = worker.events("signal").filter(({ signal }) => signal === "rate_limited");
  expect(limited).toHaveLength(2);
  expect(limited[1]?.["until"]).toBe(limited[0]?.["until"]);
});

test("a worker in a worktree leaves the folder alone, and reports what it changed", async () => {
  const { workspace, spawn } = await openScene();
  git(workspace.cwd, "init", "-q", "-b", "main");
  writeFileSync(join(workspace.cwd, "a.txt"), "a\n");
  git(workspace.cwd, "add", "-A");
  expect(git(workspace.cwd, "ls-files")).toBe("a.txt");
  git(workspace.cwd, "commit", "-q", "-m", "first");
  const setup = "echo b > b.txt && git add b.txt";
  const worker = await spawn("text", "--worktree", "--name", "apart", "--setup", setup);
  const complete = await worker.complete();
  expect(complete).toMatchObject({ diff: { files: 1, insertions: 1, deletions: 0 }, commits: [] });
  const [spawned] = worker.events("system.worker.spawned");
  const worktree = spawned?.["worktree"] as { path: string; branch: string; port: number };
  expect(worktree).toMatchObject({ branch: "claw/apart", port: expect.any(Number) });
  expect(readFileSync(join(worktree.path, "b.txt"), "utf8")).toBe("b\n");
  expect(git(workspace.cwd, "status", "--porcelain")).toBe("");
  // It may be sent back to work, so its port stays its own.
  const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const second = await spawn("text", "--worktree", "--check", `echo ${secret} | grep -q wxyz0`);
  const [next] = second.events("system.worker.spawned");
  expect(next?.["worktree"]).toMatchObject({ port: worktree.port + 1 });
  const [verified] = await second.until("its check", (events) => events.length > 0, "system.worker.verified");
  expect(verified).toMatchObject({ passed: true });
  expect(JSON.stringify(readLog(workspace))).not.toContain(secret.slice(4));
  const outside = await clawJson({ ...workspace, cwd: workspace.cwd }, [
    "spawn",
    "--harness",
    "fake",
    "--include",
    "x",
    "y",
  ]);
  expect(outside.error).toMatchObject({ code: "INVALID_FLAG_VALUE" });
});

test("a worker starts others of its own, with no more than it may do itself", async () => {
  const { workspace, daemon, spawn, orchestrator, client } = await openScene();
  const parent = await spawn("hang", "--budget-usd", "1", "--permission-mode", "read-only");
  const id = await parent.command("spawn", { name: "child", mission: "help" });
  await until("the child", () => parent.steps(id).includes("applied"));
  const list = await clawJson(workspace, ["events", "--topic", "system.worker.spawned"]);
  const spawned = (list["events"] as { payload: Record<string, unknown> }[]).map(({ payload }) => payload);
  expect(spawned[1]).toMatchObject({
    name: "child",
    parent_id: parent.id,
    budget: { usd: 1 },
    permission_mode: "read-only",
  });
  const child = sceneWorker({ workspace, client, orchestrator }, String(spawned[1]?.["peerId"]), 0);
  await child.complete();
  const other = await connectWire(daemon.socket);
  await other.hello("worker");
  const order = { cmd: "worker.spawn", harness: "fake", mission: "x", permission_mode: "danger-full-access" };
  expect(await other.ask(order)).toMatchObject({ ok: false, code: "PERMISSION_DENIED" });
  await parent.command("abort", { reason: "enough" });
  await parent.complete();
});

test("an agent that is killed is no end of the work: its worker is started anew and goes on", async () => {
  const { spawn } = await openScene();
  const worker = await spawn({
    steps: [{ type: "text", text: "So far" }, { type: "crash" }],
    resumed: [{ type: "text", text: "Going on." }],
  });
  expect(await worker.complete()).toMatchObject({ result: "ok", output: "Going on." });
  expect(worker.events("event")).toMatchObject([{ kind: "ERROR", severity: "error", data: { signal: "SIGKILL" } }]);
  expect(worker.events("system.worker.spawned")).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  expect(worker.events("system.worker.alert")).toMatchObject([{ trouble: "crash", action: "restart" }]);
});

test("a worker whose workspace was removed ends, with its agent, also when it has its result still to tell", async () => {
  const { workspace, daemon, spawn } = await openScene();
  const atWork = await spawn("hang");
  const atItsEnd = await spawn({ steps: [{ type: "wait", ms: 1000 }] });
  const agents = await until("the agent at work", () => childrenOf(atWork.pid));
  await killHard(daemon.pid);
  // Taken away at once: a folder that is emptied file by file gets new files from workers meanwhile.
  const removed = join(workspace.home, "removed");
  renameSync(join(workspace.cwd, ".claws"), removed);
  rmSync(removed, { recursive: true });
  for (const pid of [atWork.pid, atItsEnd.pid, ...agents]) {
    expect(await until(`process ${pid} to be gone`, () => !isAlive(pid))).toBe(true);
  }
});

test("a worker that has done its work and waits for a daemon goes when it is told to", async () => {
  const { daemon, workspace, spawn } = await openScene();
  const worker = await spawn({
    steps: [
      { type: "wait", ms: 500 },
      { type: "text", text: "done" },
    ],
  });
  await killHard(daemon.pid);
  const transcript = workerFile(workspace, worker.id, "transcript.jsonl");
  await until("its agent to be done", () => textOf(transcript)?.includes('"type":"result"') === true);
  expect(isAlive(worker.pid)).toBe(true);
  process.kill(worker.pid, "SIGTERM");
  await until("it to go", () => !isAlive(worker.pid));
});
