import type { JobWorktree } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { runGit } from "../../../process/index.ts";

/** Git's output and exit code. */
export interface GitOutcome {
  readonly ok: boolean;
  /** Null when git did not exit by itself. */
  readonly code: number | null;
  readonly text: string;
}

export interface GitWishes {
  /** Umask for new files; the daemon's umask when undefined. */
  readonly umask?: number;
  /** A call with longer output counts as failed. */
  readonly maxOutputBytes?: number;
  /** Working trees, besides the tree of `cwd`, into which git looks. */
  readonly trees?: readonly string[];
  /** Variables added to the daemon's environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Git commands that look at all worktrees of a repository, and fail over a worktree that another call has half made.
 */
const ONE_AT_A_TIME = new Set(["worktree", "branch"]);

/** For each repository, the last of the calls that take turns there. */
const lastCalls = new Map<string, Promise<unknown>>();

/** Runs a call after the earlier calls in the same repository have ended. `act` never rejects. */
async function inTurn<T>(repository: string, act: () => Promise<T>): Promise<T> {
  const mine = (lastCalls.get(repository) ?? Promise.resolve()).then(act);
  lastCalls.set(repository, mine);
  const result = await mine;
  if (lastCalls.get(repository) === mine) lastCalls.delete(repository);
  return result;
}

/** Asks git and never rejects. Calls that would disturb each other take turns. */
export function askGit(cwd: string, args: readonly [string, ...string[]], wishes: GitWishes = {}): Promise<GitOutcome> {
  return ONE_AT_A_TIME.has(args[0]) ? inTurn(cwd, () => callGit(cwd, args, wishes)) : callGit(cwd, args, wishes);
}

async function callGit(cwd: string, args: readonly [string, ...string[]], wishes: GitWishes): Promise<GitOutcome> {
  const limits = { timeoutMs: LIMITS.worktreeCommandMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runGit({ cwd, args, withStderr: true, ...limits, ...wishes }, new AbortController().signal);
  if (result.kind !== "exited") return { ok: false, code: null, text: "" };
  return { ok: result.code === 0, code: result.code, text: result.stdout };
}

export const worktreeFailed = (target: string, message: string): ClawError =>
  new ClawError("WORKTREE_FAILED", message.slice(0, LIMITS.worktreeTailChars), { operation: "make_worktree", target });

/** The text of git's answer. Throws WORKTREE_FAILED with git's last line when git fails. */
export async function requireGit(cwd: string, args: readonly [string, ...string[]], umask: number): Promise<string> {
  const { ok, text } = await askGit(cwd, args, { umask });
  if (ok) return text.trim();
  const said = text.trim().split("\n").at(-1) ?? "";
  throw worktreeFailed(cwd, `git ${args[0]} failed${said === "" ? "" : `: ${said}`}`);
}

/**
 * The root of a repository, its current commit and branch. Throws NOT_A_REPOSITORY without a repository, or without a
 * commit.
 */
export async function findRepository(cwd: string): Promise<{ root: string; head: string; branch: string | null }> {
  const root = await askGit(cwd, ["rev-parse", "--show-toplevel"]);
  const head = await askGit(cwd, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  const branch = await askGit(cwd, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (root.ok && head.ok) {
    return { root: root.text.trim(), head: head.text.trim(), branch: branch.ok ? branch.text.trim() : null };
  }
  const why = root.ok ? "has no commit yet" : "is in no git repository";
  throw new ClawError("NOT_A_REPOSITORY", `${cwd} ${why}`, { operation: "make_worktree", target: cwd });
}

/** Removes a worktree in which no worker has worked yet, with all files that its set-up made, and its branch. */
export async function takeBack({ path, branch, repository }: JobWorktree): Promise<void> {
  await askGit(repository, ["worktree", "remove", "--force", path]);
  await askGit(repository, ["branch", "-D", branch]);
}
