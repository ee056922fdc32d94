import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { SceneWorker, WorkerScene } from "./worker-scene.ts";
import { openScene, workerFile } from "./worker-scene.ts";
import { isAlive, startDaemon } from "./daemon-process.ts";
import { clawJson, runClaw } from "./run-claw.ts";

/** Its agent is killed in its first life, and done in the next. */
const CRASHES = {
  steps: [{ type: "text", text: "So far" }, { type: "crash" }],
  resumed: [{ type: "text", text: "Done." }],
};
/** Every life is killed. */
const ALWAYS_CRASHES = { ...CRASHES, resumed: [{ type: "crash" }] };

type Scenario = Parameters<WorkerScene["spawn"]>[0];

/** A worker that has crashed for the last time. */
async function crashed(scene: WorkerScene, scenario: object, ...flags: string[]): Promise<SceneWorker> {
  const worker = await scene.spawn(scenario as Scenario, "--on-crash", "alert", ...flags);
  await worker.until("the call for a person", (found) => found.length > 0, "system.worker.alert");
  return worker;
}

const again = (worker: SceneWorker, attempt: number) =>
  worker.until("its next life", (found) => found.some((each) => each["attempt"] === attempt), "system.worker.spawned");

test("a worker that crashed for the last time refuses every command at once, and is started again by restart and rework", async () => {
  const scene = await openScene();
  const { workspace } = scene;
  const worker = await crashed(scene, ALWAYS_CRASHES, "--name", "c");
  for (const argv of [["pause"], ["resume"], ["abort"], ["accept"], ["send", "hi"]]) {
    const [verb = "", ...rest] = argv;
    const { error } = await clawJson(workspace, [verb, "c", ...rest]);
    expect({ verb, ...error }).toMatchObject({
      verb,
      code: "WORKER_ENDED",
      hint: expect.stringContaining("claw restart c"),
    });
  }
  expect(await clawJson(workspace, ["restart", "c"])).toMatchObject({ peer_id: worker.id, attempt: 2 });
  await worker.until("it to crash again", (found) => found.length === 2, "system.worker.alert");
  const back = await clawJson(workspace, ["rework", "c", "try it differently"]);
  expect(back).toMatchObject({ peer_id: worker.id, completion: "rework" });
  await again(worker, 3);
});

test("spawn and fleet start a crashed worker again under its name: the same worker, its next life", async () => {
  const scene = await openScene();
  const { workspace } = scene;
  const worker = await crashed(scene, CRASHES, "--name", "c");
  const [first] = worker.events("system.worker.spawned");
  const job = readFileSync(workerFile(workspace, worker.id, "job.json"), "utf8");
  const { scenario } = JSON.parse(job) as { scenario: string };
  const args = ["spawn", "--harness", "fake", "--scenario", scenario, "--name", "c", "--wait", "complete", "do it"];
  expect(await clawJson(workspace, args)).toMatchObject({ peer_id: worker.id, state: "finished", summary: "Done." });
  expect(first).toMatchObject({ attempt: 1 });
  const fleet = [
    "name: f",
    "workers:",
    `- { name: w, mission: m, harness: fake, scenario: ${scenario}, on_crash: alert }`,
  ];
  writeFileSync(join(workspace.cwd, "f.yaml"), fleet.join("\n"));
  const failed = await clawJson(workspace, ["fleet", "f.yaml"]);
  expect(failed).toMatchObject({ error: { code: "FLEET_FAILED" }, workers: [{ name: "w", status: "failed" }] });
  const [before] = failed["workers"] as { peer_id: string }[];
  const done = await clawJson(workspace, ["fleet", "f.yaml"]);
  expect(done).toMatchObject({ done: 1, workers: [{ name: "w", peer_id: before?.peer_id, status: "done" }] });
});

test("a worker that waits to be started anew is ended by an abort, at once", async () => {
  const { workspace, spawn } = await openScene();
  const worker = await spawn(ALWAYS_CRASHES as Scenario, "--name", "c", "--restarts", "20");
  // Each pause before the next life is longer than the one before.
  await worker.until("long pauses", (found) => found.length >= 3, "system.worker.alert");
  await until("its process to be gone", () => worker.events("system.worker.terminated").length >= 3);
  const aborted = await clawJson(workspace, ["abort", "c"]);
  expect(aborted).toMatchObject({ step: "applied" });
  const { workers } = await clawJson(workspace, ["ps"]);
  expect(workers).toMatchObject([{ name: "c", state: "aborted", ended: true }]);
});

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8" });

test("rm and prune remove ended workers with what they left, and never a worktree that holds work", async () => {
  const scene = await openScene();
  const { workspace } = scene;
  git(workspace.cwd, "init", "-q");
  git(workspace.cwd, "commit", "-q", "--allow-empty", "-m", "first");
  const running = await scene.spawn("hang", "--name", "running");
  const runs = { type: "tool", name: "Bash", input: { command: "make" }, runs: "echo work > work.txt" };
  const works = { ...CRASHES, steps: [runs, ...CRASHES.steps] };
  const holding = await crashed(scene, works, "--name", "holding", "--worktree");
  const empty = await crashed(scene, CRASHES, "--name", "empty", "--worktree");
  const plain = await crashed(scene, CRASHES, "--name", "plain");
  const tree = (name: string): string => join(workspace.cwd, ".claws", "worktrees", name);
  await empty.until("its worktree to go", (found) => found.length === 1, "system.worker.cleared");
  const [kept] = await holding.until("its work to be told", (found) => found.length === 1, "system.worker.kept");
  expect(kept).toMatchObject({ path: tree("holding"), changes: { files: 1, insertions: 1, uncommitted: 1 } });
  expect((await clawJson(workspace, ["rm", "running"])).error).toMatchObject({ code: "WORKER_RUNNING" });
  expect((await clawJson(workspace, ["rm", "holding"])).error).toMatchObject({ code: "WORKTREE_HOLDS_WORK" });
  expect((await clawJson(workspace, ["prune"])).error).toMatchObject({ code: "CONFIRMATION_REQUIRED" });
  const planned = await clawJson(workspace, ["prune", "--dry-run"]);
  expect(planned).toMatchObject({ removed_count: 2, kept_count: 1, effect: "would_delete" });
  expect(await clawJson(workspace, ["rm", "plain"])).toMatchObject({ peer_id: plain.id, effect: "deleted" });
  expect(existsSync(workerFile(workspace, plain.id, ""))).toBe(false);
  const pruned = await clawJson(workspace, ["prune", "--yes"]);
  expect(pruned).toMatchObject({
    removed: [{ peer_id: empty.id, name: "empty" }],
    kept: [{ peer_id: holding.id, path: tree("holding"), reason: expect.stringContaining("not committed") }],
  });
  expect([existsSync(tree("empty")), existsSync(join(tree("holding"), "work.txt"))]).toEqual([false, true]);
  const { workers } = await clawJson(workspace, ["ps", "--all"]);
  expect((workers as { peer_id: string }[]).map(({ peer_id }) => peer_id)).toEqual([running.id, holding.id]);
  expect((await clawJson(workspace, ["pause", "plain"])).error).toMatchObject({ code: "WORKER_NOT_FOUND" });
});

test("workers can be waited for, and a busy one says at once where a text for it stands", async () => {
  const { workspace, spawn } = await openScene();
  const busy = await spawn("hang", "--name", "busy");
  await busy.until("its work", (found) => found.some(({ phase }) => phase === "OBSERVE"), "phase");
  await clawJson(workspace, ["send", "busy", "first"]);
  const second = await clawJson(workspace, ["send", "busy", "second"]);
  expect(second).toMatchObject({ step: "queued", busy: true });
  expect((await runClaw(workspace, ["send", "busy", "third"])).stdout).toMatch(/^Queued for busy, which is at work; /);
  expect((await runClaw(workspace, ["pause", "busy"])).stdout).toBe("Paused busy\n");
  expect((await runClaw(workspace, ["resume", "busy"])).stdout).toBe("Resumed busy\n");
  await spawn("text", "--name", "done", "--check", "true");
  const waited = await clawJson(workspace, ["wait", "done", "--for", "verified"]);
  expect(waited).toMatchObject({ found: true, workers: [{ name: "done", state: "finished", completion: "verified" }] });
  const late = await clawJson(workspace, ["wait", "done", "busy", "--timeout-seconds", "1"]);
  expect(late).toMatchObject({ error: { code: "TIMEOUT" }, workers: [{ name: "done" }, { name: "busy" }] });
  const waiting = clawJson(workspace, ["wait", "busy"]);
  expect(await clawJson(workspace, ["abort", "--all"])).toMatchObject({ error: { code: "CONFIRMATION_REQUIRED" } });
  const all = await clawJson(workspace, ["abort", "--all", "--yes"]);
  expect(all["workers"]).toMatchObject([{ name: "busy", step: "applied", failure: null }]);
  expect(await waiting).toMatchObject({ error: { code: "WORKER_ABORTED" }, workers: [{ state: "aborted" }] });
});

test("down names the workers that go on, status finds them without a daemon, and down --abort stops them", async () => {
  const { workspace, spawn } = await openScene();
  const worker = await spawn("hang", "--name", "h");
  const named = [{ peer_id: worker.id, name: "h", pid: worker.pid }];
  expect(await clawJson(workspace, ["status"])).toMatchObject({ workers: named });
  expect(await clawJson(workspace, ["down", "--dry-run"])).toMatchObject({ workers: named, effect: "would_delete" });
  expect((await runClaw(workspace, ["down"])).stdout).toContain("1 worker goes on without it: h\n");
  expect(await clawJson(workspace, ["status"])).toMatchObject({ daemon: null, workers: named });
  await startDaemon(workspace);
  const down = await clawJson(workspace, ["down", "--abort"]);
  expect(down).toMatchObject({ stopped: true, workers: [], aborted: named });
  await until("its process to be gone", () => !isAlive(worker.pid));
  expect(await clawJson(workspace, ["status"])).toMatchObject({ workers: [] });
});

test("spawn --wait goes on with a worker that crashes and is started anew, and fails when it stays down", async () => {
  const { workspace } = await openScene();
  const spawn = (name: string, scenario: object, ...flags: string[]) => {
    const file = join(workspace.home, `${name}.json`);
    writeFileSync(file, JSON.stringify(scenario));
    const args = [
      "spawn",
      "--harness",
      "fake",
      "--scenario",
      file,
      "--name",
      name,
      "--wait",
      "complete",
      ...flags,
      "x",
    ];
    return clawJson(workspace, args);
  };
  expect(await spawn("back", CRASHES)).toMatchObject({ state: "finished", summary: "Done." });
  expect((await spawn("down", CRASHES, "--on-crash", "alert")).error).toMatchObject({ code: "WORKER_FAILED" });
});

test("spawn waits for the checks of a worker too, and with --wait verified fails when they do", async () => {
  const { workspace } = await openScene();
  const spawn = (wait: string, ...flags: string[]) =>
    clawJson(workspace, ["spawn", "--harness", "fake", "--name", wait, "--wait", wait, ...flags, "x"]);
  const [complete, verified, unchecked] = await Promise.all([
    spawn("complete", "--check", "true", "--check", "exit 3"),
    spawn("verified", "--check", "exit 3"),
    spawn("verified"),
  ]);
  const failed = { command: "exit 3", passed: false, exit_code: 3 };
  expect(complete).toMatchObject({ exit_code: 0, state: "finished", completion: "failed_checks" });
  expect(complete).toMatchObject({ checks: [{ command: "true", passed: true }, failed] });
  expect(complete["warnings"]).toEqual(["CHECKS_FAILED: the checks of complete failed: exit 3 (exit 3)"]);
  expect(verified).toMatchObject({ error: { code: "WORKER_FAILED" }, completion: "failed_checks", checks: [failed] });
  expect(unchecked.error).toMatchObject({ code: "INVALID_FLAG_VALUE", target: "--wait" });
});
