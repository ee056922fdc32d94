import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Machine } from "./cluster-scene.ts";
import { done, endAfterTest, on, startCluster, untilState, workerOn } from "./cluster-scene.ts";
import { runClaw } from "./run-claw.ts";
import { gitIn, makeRepository } from "./work-scene.ts";
import type { Workspace } from "./workspace.ts";

const COMMITS = 'echo b > b.txt && git add b.txt && git commit -q -m "add b"';

/** A scenario whose agent runs a shell command. */
function scenarioIn({ home }: Workspace, name: string, runs: string): string {
  const path = join(home, `${name}.json`);
  const tool = { type: "tool", name: "Bash", input: { command: runs }, runs };
  writeFileSync(path, JSON.stringify({ steps: [tool, { type: "text", text: "Done." }] }));
  return path;
}

/** A worker called fixer on machine one that has run a command in its worktree; the path of the worktree. */
async function withFixer(one: Machine, runs: string): Promise<string> {
  const scenario = scenarioIn(one.workspace, "fixer", runs);
  const order = ["spawn", "--harness", "fake", "--name", "fixer", "--scenario", scenario, "--worktree"];
  await done(one, ...order, "--check", "true", "--wait", "verified", "fix it");
  return join(one.workspace.cwd, ".claws", "worktrees", "fixer");
}

async function startTwo(runs: string) {
  const { machines } = await startCluster(["one", "two"], { prepare: makeRepository });
  const [one, two] = machines;
  return { one, two, path: await withFixer(one, runs) };
}

const headOf = ({ workspace }: Machine, ref = "main"): string => gitIn(workspace, workspace.cwd, "rev-parse", ref);

/** What all answers about one thing have in common. */
function plain(body: Record<string, unknown>): Record<string, unknown> {
  const { timestamp: _timestamp, machine: _machine, ...rest } = body;
  return rest;
}

test("the work of a worker is shown, merged and undone from another machine", async () => {
  const { one, two, path } = await startTwo(COMMITS);
  writeFileSync(join(path, "c.txt"), "c\n");
  const [own, there] = [await done(one, "diff", "fixer"), await done(two, "diff", "fixer")];
  expect(there["machine"]).toBe("one");
  expect(plain(there)).toEqual(plain(own));
  expect(plain(await done(two, "diff", "fixer", "--stat"))).toEqual(plain(await done(one, "diff", "fixer", "--stat")));
  const before = headOf(one);
  const refused = await on(two, "merge", "fixer");
  expect(refused.error).toMatchObject({
    code: "UNCOMMITTED_WORK",
    message: "fixer left 1 file uncommitted: c.txt (on machine one)",
    hint: expect.stringContaining("claw merge fixer --commit") as string,
  });
  const planned = await done(two, "merge", "fixer", "--commit", "--dry-run");
  expect(planned).toMatchObject({ machine: "one", effect: "would_update", commit: null });
  expect(headOf(one)).toBe(before);
  const merged = await done(two, "merge", "fixer", "--commit", "--strategy", "squash", "--message", "take b and c");
  expect(merged).toMatchObject({ machine: "one", effect: "updated", onto: "main", before, files: ["b.txt", "c.txt"] });
  expect(merged["commit"]).toBe(headOf(one));
  expect(gitIn(one.workspace, one.workspace.cwd, "log", "-1", "--format=%s")).toBe("take b and c");
  const modes = ["a.txt", "b.txt"].map((name) => statSync(join(one.workspace.cwd, name)).mode);
  expect(modes[1]).toBe(modes[0]);
  expect(existsSync(join(two.workspace.cwd, "b.txt"))).toBe(false);
  expect(await done(two, "merge", "fixer")).toMatchObject({ effect: "noop" });
  gitIn(one.workspace, one.workspace.cwd, "reset", "-q", "--keep", String(merged["before"]));
  expect(await done(two, "merge", "fixer", "--dry-run")).toMatchObject({ effect: "would_update" });
});

test("a worker is accepted with its work from another machine, and then removed", async () => {
  const { one, two, path } = await startTwo(COMMITS);
  const kept = await on(two, "rm", "fixer");
  expect(kept.error).toMatchObject({ code: "WORKTREE_HOLDS_WORK" });
  const dry = await done(two, "accept", "fixer", "--dry-run");
  expect(dry).toMatchObject({ machine: "one", effect: "would_update", work: "1 file (+1 -0), 1 commit on claw/fixer" });
  const accepted = await done(two, "accept", "fixer", "--merge");
  expect(accepted).toMatchObject({ machine: "one", effect: "updated", completion: "accepted", work: null });
  expect(accepted["merged"]).toBe(headOf(one));
  expect(readFileSync(join(one.workspace.cwd, "b.txt"), "utf8")).toBe("b\n");
  await until("the worktree to be cleared away", () => !existsSync(path));
  expect(await workerOn(one, "fixer")).toMatchObject({ completion: "accepted" });
  const removed = await done(two, "rm", "fixer");
  expect(removed).toMatchObject({ effect: "deleted", name: "fixer" });
  for (const each of removed["paths"] as string[]) expect(existsSync(each)).toBe(false);
  await until("all machines to know", async () => (await workerOn(one, "fixer")) === undefined);
});

test("a conflict that is met from another machine changes nothing, and is sent back from there", async () => {
  const { one, two, path } = await startTwo(COMMITS);
  for (const [cwd, text] of [
    [path, "worker\n"],
    [one.workspace.cwd, "person\n"],
  ] as const) {
    writeFileSync(join(cwd, "a.txt"), text);
    gitIn(one.workspace, cwd, "commit", "-q", "-a", "-m", text.trim());
  }
  const refs = (): string => gitIn(one.workspace, one.workspace.cwd, "for-each-ref");
  const before = refs();
  for (const args of [
    ["merge", "fixer"],
    ["accept", "fixer", "--merge"],
  ]) {
    const { error } = await on(two, ...args);
    expect(error).toMatchObject({
      code: "MERGE_CONFLICT",
      message: "claw/fixer and main change the same lines: a.txt (on machine one)",
      hint: expect.stringContaining("claw rework fixer") as string,
    });
  }
  expect(refs()).toBe(before);
  const sent = await done(two, "rework", "fixer", "merge main and solve the conflicts");
  expect(sent).toMatchObject({ effect: "updated", completion: "rework" });
  const again = await until("the second life to end", async () => {
    const worker = await workerOn(two, "fixer");
    return worker?.["attempt"] === 2 && worker["state"] === "finished" ? worker : undefined;
  });
  expect(again).toMatchObject({ machine: "one" });
});

test("a worker is started again, paused, spoken to and pruned from another machine", async () => {
  const { machines } = await startCluster(["one", "two", "three"], { prepare: makeRepository });
  const [one, two, three] = machines;
  const go = join(one.workspace.home, "go");
  const scenario = scenarioIn(one.workspace, "waits", `until [ -e ${go} ]; do sleep 0.05; done`);
  endAfterTest(await done(one, "spawn", "--harness", "fake", "--name", "w", "--scenario", scenario, "go"));
  await untilState(three, "w", "working");
  const restarted = await done(two, "restart", "w", "--reason", "again");
  expect(restarted).toMatchObject({ name: "w", attempt: 2, effect: "updated" });
  endAfterTest(restarted);
  await untilState(three, "w", "working");
  expect(await done(three, "pause", "w")).toMatchObject({ step: expect.any(String) as string });
  await untilState(two, "w", "paused");
  expect(await done(two, "resume", "w")).toMatchObject({ step: expect.any(String) as string });
  expect(await done(three, "send", "w", "look at main", "--wait", "queued")).toMatchObject({
    worker: expect.any(String) as string,
  });
  const waiting = on(two, "wait", "w", "--timeout-seconds", "120");
  writeFileSync(go, "");
  expect(await waiting).toMatchObject({ found: true, workers: [{ name: "w", state: "finished" }] });
  const kept = await on(three, "prune", "--yes");
  expect(kept).toMatchObject({ removed_count: 1, removed: [{ name: "w" }], effect: "deleted" });
  await until("all machines to know", async () => (await workerOn(one, "w")) === undefined);
  const { stdout } = await runClaw(two.workspace, ["ps"]);
  expect(stdout.trim()).toBe("No workers.");
});
