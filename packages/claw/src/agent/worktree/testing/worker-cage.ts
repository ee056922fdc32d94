import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { commandEnvironment } from "../../sandbox/command-environment.ts";
import type { Cage } from "../../sandbox/testing/workspace-with-canary.ts";
import { needSandbox, openCage } from "../../sandbox/testing/workspace-with-canary.ts";
import type { CommandGit } from "../command-git.ts";
import { createCommandGit } from "../command-git.ts";
import type { WorkerTree } from "../worker-tree.ts";
import { privateFolder, workerTreeOf } from "../worker-tree.ts";

export interface WorkerCage {
  readonly repository: string;
  readonly tree: WorkerTree;
  readonly cage: Cage;
  readonly git: CommandGit;
  /** The private git folder. */
  readonly folder: string;
  /** Runs git as the person does, and gives what it prints. */
  readonly ask: (...args: string[]) => string;
  /**
   * Runs a script as a command of the worker, in the sandbox, from the preparation to the taking of commits. `meanwhile`
   * is called before the latter.
   */
  readonly run: (script: string, meanwhile?: () => void) => Promise<{ output: string; notes: string[] }>;
}

const ENV = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

/** As the person runs git, with no settings of their own. */
export const askGit = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Person", "-c", "user.email=p@example.test", ...args], {
    cwd,
    env: ENV,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

/**
 * A repository, and in it the worktree of a worker called `w`, as the daemon makes it. The worker works in a folder of
 * it, at its top without one.
 */
export function openWorkerCage(onEnd: (remove: () => void) => void, below = "."): WorkerCage {
  const cage = openCage(onEnd);
  const repository = cage.root;
  const root = join(repository, ".claws", "worktrees", "w");
  const ask = (...args: string[]): string => askGit(repository, ...args);
  ask("init", "-q", "-b", "main");
  for (const [name, value] of [
    ["user.name", "Person"],
    ["user.email", "p@example.test"],
  ] as const) {
    ask("config", name, value);
  }
  writeFileSync(join(repository, "a"), "a\n");
  writeFileSync(join(repository, ".gitignore"), ".claws\n.claw\n");
  mkdirSync(join(repository, below), { recursive: true });
  if (below !== ".") writeFileSync(join(repository, below, "first"), "first\n");
  ask("add", "-A");
  ask("commit", "-q", "-m", "one");
  mkdirSync(join(repository, ".claws", "worktrees"), { recursive: true });
  ask("worktree", "add", "-q", "-b", "claw/w", root);
  const cwd = join(root, below);
  const tree = workerTreeOf(cwd);
  if (tree === null) throw new Error("no worktree of a worker");
  const workspace = { root: cwd, extraFolders: [] };
  const sandbox = needSandbox(workspace);
  const git = createCommandGit(tree, () => sandbox);
  const run: WorkerCage["run"] = async (script, meanwhile) => {
    const view = await git.prepare();
    const watch = sandbox.guard({ cwd, writable: true, ...(view === null ? {} : { git: view }) });
    const [file, ...args] = sandbox.wrap(["bash", "-c", script], watch.confinement);
    const env = commandEnvironment({ env: process.env, workspace, manner: "confined" });
    const { stdout, stderr } = spawn(file, args, { env });
    const output = (await Promise.all([stdout, stderr].map((stream) => text(stream)))).join("");
    watch.settle();
    meanwhile?.();
    return { output, notes: await git.take() };
  };
  return { repository, tree, cage, git, folder: privateFolder(tree), ask, run };
}
