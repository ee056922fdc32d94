import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createStartOnce, markLaunch, startKeyOf, takeBackStarts, unmarkStart } from "./earlier-starts.ts";
import { spawnedEvent } from "../testing/spawned-event.ts";
import type { RegisteredWorker } from "../worker-registry/worker-registry.ts";
import type { SpawnedWorker } from "./launch-worker.ts";

const NOBODY = { isKnown: () => false, worksIn: () => false };

function scene() {
  const repository = temporaryFolder(onTestFinished);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: repository,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "begin");
  const claws = join(repository, ".claws");
  const start = (peerId: string, name: string, branch = `claw/${name}`): { folder: string; path: string } => {
    const folder = join(claws, "workers", peerId);
    const path = join(claws, "worktrees", name);
    mkdirSync(folder, { recursive: true });
    markLaunch(folder, { path, branch, base: git("rev-parse", "HEAD"), repository, port: null });
    git("worktree", "add", "--quiet", "-b", branch, path);
    return { folder, path };
  };
  const branches = (): string[] => git("branch", "--format=%(refname:short)").split("\n");
  return { claws, start, branches };
}

test("starts that were cut off before anybody knew of them are taken back, and no others", async () => {
  const { claws, start, branches } = scene();
  const unknown = start("p_000001", "unknown");
  const known = start("p_000002", "known");
  const done = start("p_000003", "done");
  unmarkStart(done.folder);
  const isKnown = (peerId: string): boolean => peerId === "p_000002";
  await takeBackStarts(claws, { isKnown, worksIn: (peerId, path) => isKnown(peerId) && path === known.path });
  expect([unknown, known, done].map(({ path, folder }) => [existsSync(path), existsSync(folder)])).toEqual([
    [false, false],
    [true, true],
    [true, true],
  ]);
  expect(branches()).toEqual(["claw/done", "claw/known", "main"]);
  expect(existsSync(join(known.folder, "starting.json"))).toBe(false);
});

test("a mark that names something else than what is made here is left alone", async () => {
  const { claws, start, branches } = scene();
  const other = start("p_000001", "other", "feature");
  await takeBackStarts(claws, NOBODY);
  expect([existsSync(other.path), branches()]).toEqual([true, ["feature", "main"]]);
});

test("a worktree that was made again for a known worker, and not used, is taken back without the worker's folder", async () => {
  const { claws, start, branches } = scene();
  const again = start("p_000001", "again");
  await takeBackStarts(claws, { isKnown: () => true, worksIn: () => false });
  expect([existsSync(again.path), existsSync(again.folder), branches()]).toEqual([false, true, ["main"]]);
});

const KEY = startKeyOf("p_1", "a key of a caller").start_key ?? "";

const started: SpawnedWorker = {
  peerId: "p_2",
  name: "lexer",
  pid: 4711,
  bootId: "boot-1",
  attempt: 1,
  folder: "/home/ada/lexer/.claws/workers/p_2",
  worktree: null,
};

test("two requests with one key at the same time start one worker", async () => {
  const once = createStartOnce({ all: () => [] });
  const starts: number[] = [];
  const start = (): Promise<SpawnedWorker> => Promise.resolve(started).finally(() => starts.push(1));
  expect(await Promise.all([once.run(KEY, start), once.run(KEY, start)])).toEqual([started, started]);
  expect(starts).toEqual([1]);
  await Promise.all([once.run(undefined, start), once.run(undefined, start)]);
  expect(starts).toHaveLength(3);
});

test("a key in the log names its worker, and the key of another peer is another", async () => {
  const spawned = spawnedEvent("p_2", { start_key: KEY });
  const once = createStartOnce({ all: () => [{ spawned } as RegisteredWorker] });
  expect(await once.run(KEY, () => Promise.reject(new Error("started twice")))).toEqual(started);
  expect(startKeyOf("p_9", "a key of a caller").start_key).not.toBe(KEY);
  expect(startKeyOf("p_1", null)).toEqual({});
});

test("a start that failed may be tried again with its key", async () => {
  const once = createStartOnce({ all: () => [] });
  await expect(once.run(KEY, () => Promise.reject(new Error("no money")))).rejects.toThrow("no money");
  expect(await once.run(KEY, () => Promise.resolve(started))).toEqual(started);
});
