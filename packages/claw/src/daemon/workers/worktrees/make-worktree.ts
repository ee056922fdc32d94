import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { JobWorktree } from "@claw/contract";
import { ClawError, LIMITS } from "@claw/contract";
import { appendToOwn, clawFolder, hideFromGit, openOwnFolder } from "../../../files/index.ts";
import { runCommand } from "../../../process/index.ts";
import { bringAlong } from "./bring-along.ts";
import { markLaunch, unmarkStart } from "../cut-off-starts.ts";
import { privatePlace } from "./private-work.ts";
import type { SpawnRequest } from "../worker-parts.ts";
import { askGit, findRepository, requireGit, takeBack, worktreeFailed } from "./worktree-git.ts";

/** Files to copy into a worktree, commands that prepare the worktree, and commands to run before its removal. */
export type WorktreePlan = NonNullable<SpawnRequest["worktree"]>;

export interface WorktreeRequest {
  /** The folder the worker was to work in. */
  readonly cwd: string;
  /** `.claws` of the workspace. */
  readonly claws: string;
  readonly name: string;
  readonly plan: WorktreePlan;
  readonly port: number | null;
  /** Folder for the output of the set-up commands. */
  readonly folder: string;
  /** Umask for files in the worktree. */
  readonly umask: number;
}

export interface MadeWorktree {
  readonly worktree: JobWorktree;
  /** The folder in the worktree that corresponds to the requested `cwd`. */
  readonly cwd: string;
  /** Environment variables for programs in the worktree. */
  readonly env: Readonly<Record<string, string>>;
}

export const portVariables = (port: number | null): Record<string, string> =>
  port === null ? {} : { CLAW_PORT: String(port), PORT: String(port) };

/** A path and a branch that do not exist yet. */
async function findPlace(root: string, claws: string, name: string): Promise<{ path: string; branch: string }> {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    const [path, branch] = [join(claws, "worktrees", free), `claw/${free}`];
    const known = await askGit(root, ["show-ref", "--verify", "--quiet", `refs/heads/${branch}`]);
    // The private git folder of an earlier worktree of this name holds commits of another worker.
    if (!existsSync(path) && !existsSync(privatePlace(path)) && !known.ok) return { path, branch };
  }
}

export interface CommandPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** File to which the command's output is appended. */
  readonly log: string;
  readonly umask: number;
}

/**
 * Runs a command of the user in a shell. Resolves with the end of the output when the command failed, else with null.
 */
export async function runStep(command: string, { cwd, env, log, umask }: CommandPlace): Promise<string | null> {
  const limits = { timeoutMs: LIMITS.worktreeCommandMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const argv = ["/bin/sh", "-c", command] as const;
  const request = { argv, cwd, env: { ...env }, umask, withStderr: true, ...limits };
  const result = await runCommand(request, new AbortController().signal);
  const output = result.kind === "exited" ? result.stdout : "";
  appendToOwn(log, `$ ${command}\n${output}\n`);
  if (result.kind === "exited" && result.code === 0) return null;
  const how = result.kind === "exited" ? `ended with ${result.code}` : result.kind.replace("-", " ");
  return `${command} ${how}: ${output.trim().slice(-LIMITS.worktreeTailChars)}`;
}

/** Copies the files that a worktree needs and runs its set-up commands. Throws WORKTREE_FAILED. */
export async function prepareWorktree(
  made: Omit<MadeWorktree, "cwd">,
  { plan, folder, umask }: Pick<WorktreeRequest, "plan" | "folder" | "umask">,
): Promise<void> {
  const { path, repository } = made.worktree;
  await bringAlong(repository, path, plan.include ?? []);
  for (const command of plan.setup ?? []) {
    const problem = await runStep(command, { cwd: path, env: made.env, log: join(folder, "setup.log"), umask });
    if (problem !== null) throw worktreeFailed(path, problem);
  }
}

/** Hides the session files of claw's own agent from git, so they are not taken for work. */
function keepSessionsOut(cwd: string): void {
  try {
    const folder = clawFolder(cwd, "sessions");
    openOwnFolder(folder);
    hideFromGit(folder);
  } catch (error) {
    // A repository with a link at this path has no sessions there.
    if (!(error instanceof ClawError)) throw error;
  }
}

/** Makes a worktree on a new branch, ready to work in. Throws NOT_A_REPOSITORY or WORKTREE_FAILED. */
export async function makeWorktree(request: WorktreeRequest): Promise<MadeWorktree> {
  const { claws, name, port, umask } = request;
  const { root, head, branch: from } = await findRepository(request.cwd);
  openOwnFolder(join(claws, "worktrees"));
  const { path, branch } = await findPlace(root, claws, name);
  const worktree = { path, branch, base: head, from, repository: root, port };
  markLaunch(request.folder, worktree);
  // A second call of git writes the files: it sees the settings that hold in this tree and no other.
  await requireGit(root, ["worktree", "add", "--quiet", "--no-checkout", "-b", branch, path, head], umask);
  const env = portVariables(port);
  try {
    await requireGit(path, ["reset", "--quiet", "--hard"], umask);
    await prepareWorktree({ worktree, env }, request);
  } catch (error) {
    await takeBack(worktree);
    unmarkStart(request.folder);
    throw error;
  }
  const inner = join(path, relative(root, realpathSync(request.cwd)));
  const cwd = existsSync(inner) ? inner : path;
  keepSessionsOut(cwd);
  return { worktree, cwd, env };
}
