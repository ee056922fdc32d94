import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment } from "./workspace.ts";

const WHEN = "2026-01-01T00:00:00Z";

/** As the person runs git, always at the same time, so that commits have the same names. */
export function gitIn(workspace: Workspace, cwd: string, ...args: string[]): string {
  const env = cleanEnvironment(workspace, { GIT_AUTHOR_DATE: WHEN, GIT_COMMITTER_DATE: WHEN });
  return execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** Makes the working folder a repository with one commit. */
export function makeRepository(workspace: Workspace): void {
  const { cwd, home } = workspace;
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Person\n\temail = p@example.test\n");
  gitIn(workspace, cwd, "init", "-q", "-b", "main");
  writeFileSync(join(cwd, "a.txt"), "one\n");
  gitIn(workspace, cwd, "add", "a.txt");
  gitIn(workspace, cwd, "commit", "-q", "-m", "first");
}

/** A worker called fixer in a worktree, in which nothing was done yet. Resolves with the worktree's path. */
export async function withWorktree(workspace: Workspace): Promise<string> {
  makeRepository(workspace);
  await startDaemon(workspace);
  const order = [
    "spawn",
    "fix it",
    "--name",
    "fixer",
    "--harness",
    "fake",
    "--scenario",
    "tools",
    "--worktree",
    "--check",
    "true",
  ];
  expect(await clawJson(workspace, [...order, "--wait", "complete"])).toMatchObject({ exit_code: 0 });
  expect(await clawJson(workspace, ["wait", "fixer", "--for", "verified"])).toMatchObject({ exit_code: 0 });
  return join(workspace.cwd, ".claws", "worktrees", "fixer");
}

/** The same with a commit of the worker. */
export async function withWork(workspace: Workspace): Promise<string> {
  const path = await withWorktree(workspace);
  writeFileSync(join(path, "b.txt"), "b\n");
  gitIn(workspace, path, "add", "b.txt");
  gitIn(workspace, path, "commit", "-q", "-m", "add b");
  return path;
}

/** The same with a file that is not committed. */
export async function withOpenWork(workspace: Workspace): Promise<string> {
  const path = await withWork(workspace);
  writeFileSync(join(path, "c.txt"), "c\n");
  return path;
}

/** The same with a change of the same line by the person. */
export async function withConflict(workspace: Workspace): Promise<string> {
  const path = await withWork(workspace);
  for (const [cwd, text] of [
    [path, "worker\n"],
    [workspace.cwd, "person\n"],
  ] as const) {
    writeFileSync(join(cwd, "a.txt"), text);
    gitIn(workspace, cwd, "commit", "-q", "-a", "-m", text.trim());
  }
  return path;
}
