import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { openAgentScene } from "./agent-scene.ts";
import { startDaemon, stopAfterTest } from "./daemon-process.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { gitIn, makeRepository, withConflict, withOpenWork, withWorker } from "./work-scene.ts";
import { createWorkspace, secretFile } from "./workspace.ts";
import { say, use } from "../model-server/model-scenario.ts";

test("a worker of our own commits in its worktree; its work is shown, merged, accepted and cleared away", async () => {
  const command = "echo b > b.txt && git add b.txt && git commit -q -m 'add b' && git status --short";
  const { workspace, env } = await openAgentScene({ turns: [use("bash", { command }), say("done")] });
  const path = join(workspace.cwd, ".claws", "worktrees", "fixer");
  makeRepository(workspace);
  stopAfterTest(workspace);
  await clawJson(workspace, ["up"], { env });
  const order = ["spawn", "--harness", "claw", "--name", "fixer", "--worktree", "--wait", "complete", "fix it"];
  const told = await runClaw(workspace, order, { env });
  expect(told.stdout).toMatch(/changed +1 file \(\+1 -0\), 1 commit on claw\/fixer/);
  expect(told.stdout).toMatch(/claw diff fixer/);
  expect(gitIn(workspace, workspace.cwd, "log", "-1", "--format=%an: %s", "claw/fixer")).toBe("Person: add b");
  expect(await clawJson(workspace, ["diff", "fixer"])).toMatchObject({
    files: [{ path: "b.txt", insertions: 1, deletions: 0 }],
    commits: [{ subject: "add b" }],
    uncommitted: [],
    problem: null,
    patch: expect.stringContaining("+b") as string,
  });
  const accepted = await clawJson(workspace, ["accept", "fixer", "--merge"]);
  expect(accepted).toMatchObject({ effect: "updated", work: null, merged: expect.any(String) as string, onto: "main" });
  expect(readFileSync(join(workspace.cwd, "b.txt"), "utf8")).toBe("b\n");
  await until("the worktree to be cleared away", () => !existsSync(path));
  expect(gitIn(workspace, workspace.cwd, "status", "--porcelain")).toBe("");
  await until("its branch to go", () => gitIn(workspace, workspace.cwd, "branch", "--list", "claw/*") === "");
  expect(existsSync(join(workspace.cwd, ".claws", "git", "fixer"))).toBe(false);
});

test("what is not committed is never left behind by a merge", async () => {
  const workspace = createWorkspace();
  const path = await withOpenWork(workspace);
  const refused = await clawJson(workspace, ["merge", "fixer"]);
  expect(refused.error).toMatchObject({
    code: "UNCOMMITTED_WORK",
    hint: expect.stringContaining("--commit") as string,
  });
  expect(await clawJson(workspace, ["accept", "fixer", "--merge", "--yes"])).toMatchObject({
    error: { code: "UNCOMMITTED_WORK" },
  });
  const shown = await runClaw(workspace, ["accept", "fixer", "--yes"]);
  expect(shown.stdout).toContain(`Its work is in ${path}, not merged: 2 files (+2 -0), 1 commit on claw/fixer`);
  expect(existsSync(join(path, "c.txt"))).toBe(true);
  const merged = await clawJson(workspace, ["merge", "fixer", "--strategy", "squash", "--commit"]);
  expect(merged).toMatchObject({ effect: "updated", files: ["b.txt", "c.txt"], commits_count: 2 });
  expect(gitIn(workspace, workspace.cwd, "rev-list", "--count", "main")).toBe("2");
  expect(await clawJson(workspace, ["merge", "fixer", "--strategy", "squash"])).toMatchObject({ effect: "noop" });
  expect(await clawJson(workspace, ["accept", "fixer"])).toMatchObject({ effect: "noop", work: null });
  expect(await clawJson(workspace, ["rm", "fixer"])).toMatchObject({ exit_code: 0 });
  expect(existsSync(path)).toBe(false);
});

test("a conflict leaves everything as it was, and says how to go on", async () => {
  const workspace = createWorkspace();
  await withConflict(workspace);
  const before = gitIn(workspace, workspace.cwd, "for-each-ref");
  for (const strategy of ["merge", "squash", "rebase"]) {
    const { error } = await clawJson(workspace, ["merge", "fixer", "--strategy", strategy]);
    expect(error).toMatchObject({
      code: "MERGE_CONFLICT",
      message: "claw/fixer and main change the same lines: a.txt",
      hint: expect.stringContaining("claw rework fixer") as string,
    });
  }
  expect(gitIn(workspace, workspace.cwd, "for-each-ref")).toBe(before);
  expect(gitIn(workspace, workspace.cwd, "status", "--porcelain")).toBe("");
});

test("a worktree without work goes when its worker ends, and is made again when the worker is sent back", async () => {
  const workspace = createWorkspace();
  const path = await withWorker(workspace, "test -f a.txt");
  await until("the worktree to go", () => !existsSync(path));
  await until("its branch to go", () => gitIn(workspace, workspace.cwd, "branch", "--list", "claw/*") === "");
  const cleared = await clawJson(workspace, ["wait", "--topic", "system.worker.cleared", "--since", "0000:0"]);
  expect(cleared["payload"]).toMatchObject({ path, branch: "claw/fixer" });
  expect(await clawJson(workspace, ["diff", "fixer"])).toMatchObject({ error: { code: "NO_WORKTREE" } });
  const { workers } = await clawJson(workspace, ["ps"]);
  expect(workers).toMatchObject([{ name: "fixer", completion: "verified", worktree: null, changes: null }]);
  gitIn(workspace, workspace.cwd, "commit", "-q", "--allow-empty", "-m", "meanwhile");
  const runs = { type: "tool", name: "Bash", input: { command: "touch c.txt" }, runs: "touch c.txt" };
  const again = { steps: [runs, { type: "text", text: "Again." }] };
  writeFileSync(join(workspace.home, "fixer.json"), JSON.stringify({ ...again, resumed: again.steps }));
  expect(await clawJson(workspace, ["rework", "fixer", "once more"])).toMatchObject({ exit_code: 0 });
  expect(await clawJson(workspace, ["wait", "fixer", "--for", "verified"])).toMatchObject({ exit_code: 0 });
  const kept = await clawJson(workspace, ["wait", "--topic", "system.worker.kept", "--since", "0000:0"]);
  expect(kept["payload"]).toMatchObject({ path, changes: { files: 1, commits: 0, uncommitted: 1 } });
  expect(gitIn(workspace, path, "log", "-1", "--format=%s")).toBe("meanwhile");
  const table = await runClaw(workspace, ["ps"]);
  expect(table.stdout).toContain("\n    changed 1 file (+0 -0), 1 file not committed\n");
  expect(await clawJson(workspace, ["rm", "fixer"])).toMatchObject({ error: { code: "WORKTREE_HOLDS_WORK" } });
});

test("a worker that gets no socket does not start, and leaves no worktree and no branch", async () => {
  const workspace = createWorkspace();
  makeRepository(workspace);
  await startDaemon(workspace);
  // The folder of a worker's socket cannot be made where a file is.
  const sockets = secretFile(workspace, "workers");
  mkdirSync(sockets, { recursive: true });
  for (const peer of ["p_000001", "p_000002"]) writeFileSync(join(sockets, peer), "");
  const failed = await clawJson(workspace, ["spawn", "--harness", "fake", "--worktree", "--name", "doorless", "go"]);
  expect(failed.error).toMatchObject({ kind: "filesystem" });
  expect(await clawJson(workspace, ["ps", "--all"])).toMatchObject({ workers: [] });
  expect(gitIn(workspace, workspace.cwd, "branch", "--list", "claw/*")).toBe("");
  expect(existsSync(join(workspace.cwd, ".claws", "worktrees", "doorless"))).toBe(false);
});
