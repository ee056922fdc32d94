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

const DATES = `GIT_AUTHOR_DATE=${WHEN} GIT_COMMITTER_DATE=${WHEN}`;

/** A worker called fixer that has run a command in its worktree and passed its check. Resolves with the worktree's path. */
export async function withWorker(workspace: Workspace, runs: string): Promise<string> {
  makeRepository(workspace);
  await startDaemon(workspace);
  const scenario = join(workspace.home, "fixer.json");
  const tool = { type: "tool", name: "Bash", input: { command: runs }, runs };
  writeFileSync(scenario, JSON.stringify({ steps: [tool, { type: "text", text: "Done." }] }));
  const order = ["spawn", "fix it", "--name", "fixer", "--harness", "fake", "--scenario", scenario, "--worktree"];
  const spawned = await clawJson(workspace, [...order, "--check", "true", "--wait", "verified"]);
  expect(spawned).toMatchObject({ exit_code: 0 });
  return join(workspace.cwd, ".claws", "worktrees", "fixer");
}

/** The same with a commit of the worker. */
export const withWork = (workspace: Workspace): Promise<string> =>
  withWorker(workspace, `echo b > b.txt && git add b.txt && ${DATES} git commit -q -m "add b"`);

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
