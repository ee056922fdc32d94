import { existsSync, realpathSync, cpSync, lstatSync, mkdirSync } from "node:fs";
import { join, relative, dirname, isAbsolute, resolve, sep } from "node:path";
import type { JobWorktree } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { appendToOwn, clawFolder, hideFromGit, openOwnFolder } from "../../../files/index.ts";
import { runCommand, systemShell } from "../../../process/index.ts";
import { markLaunch, unmarkStart } from "../earlier-starts.ts";
import { privatePlace, askGit, findRepository, requireGit, takeBack, worktreeFailed } from "./worktree-git.ts";
import type { SpawnRequest } from "../launch-worker.ts";

/** Names patterns of files that git does not know and worktrees need, written as in a .gitignore. */
const INCLUDE_FILE = ".worktreeinclude";

/** Whether a path leads into `.git` or `.claws`. These files are never copied. */
const isOff = (path: string): boolean => path.split(sep).some((part) => part === ".git" || part === ".claws");

/** The path relative to the root. Throws WORKTREE_FAILED for a path that leads out of the repository. */
function inside(root: string, path: string): string {
  const way = relative(root, resolve(root, path));
  if (way !== "" && !isAbsolute(way) && way.split(sep)[0] !== ".." && !isOff(way)) return way;
  throw worktreeFailed(path, `${path} is not a file of the repository`);
}

async function matching(root: string): Promise<string[]> {
  const file = join(root, INCLUDE_FILE);
  if (!existsSync(file)) return [];
  const { ok, text } = await askGit(root, ["ls-files", "-z", "--others", "--ignored", `--exclude-from=${file}`]);
  return ok ? text.split("\0").filter((path) => path !== "" && !isOff(path)) : [];
}

/** Copies files that git does not know into a worktree, links as links. Tracked files are there already and stay. */
async function bringAlong(root: string, worktree: string, include: readonly string[]): Promise<void> {
  const named = include.map((path) => inside(root, path));
  const paths = [...new Set([...named, ...(await matching(root))])];
  if (paths.length > LIMITS.worktreeFiles) throw worktreeFailed(root, "too many files are to be brought along");
  let bytes = 0;
  for (const path of paths) {
    const [from, to] = [join(root, path), join(worktree, path)];
    const stat = lstatSync(from, { throwIfNoEntry: false });
    if (stat === undefined) throw worktreeFailed(path, `${path} is to be brought along and is not there`);
    bytes += stat.isFile() ? stat.size : 0;
    if (bytes > LIMITS.worktreeBytes) throw worktreeFailed(root, "what is to be brought along is too large");
    mkdirSync(dirname(to), { recursive: true });
    const filter = (source: string): boolean => !isOff(relative(root, source));
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, force: false, filter });
  }
}

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
  const argv = systemShell.run(command);
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
