import type { JobWorktree } from "@claw/contract";
import { ClawError, LIMITS } from "@claw/contract";
import { runGit } from "../../process/index.ts";

/** What git said, in words and by its exit. */
export interface GitAnswer {
  readonly ok: boolean;
  /** Null when it did not come to an exit. */
  readonly code: number | null;
  readonly text: string;
}

export interface GitWishes {
  /** What files are made with; the mask of this process without it. */
  readonly umask?: number;
  /** A longer answer counts as none. */
  readonly maxOutputBytes?: number;
  /** Working trees besides that of `cwd` into which git looks. */
  readonly trees?: readonly string[];
  /** Variables added to those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Commands of git that look at all worktrees of a repository, and stumble over one that another call has half made. */
const ONE_AT_A_TIME = new Set(["worktree", "branch"]);

/** For each repository, the last of the calls that take turns there. */
const lastCalls = new Map<string, Promise<unknown>>();

/** Runs a call when those before it in the same repository have ended. `act` never rejects. */
async function inTurn<T>(repository: string, act: () => Promise<T>): Promise<T> {
  const mine = (lastCalls.get(repository) ?? Promise.resolve()).then(act);
  lastCalls.set(repository, mine);
  const result = await mine;
  if (lastCalls.get(repository) === mine) lastCalls.delete(repository);
  return result;
}

/** Asks git and never rejects. Calls that would disturb each other take turns. */
export function askGit(cwd: string, args: readonly [string, ...string[]], wishes: GitWishes = {}): Promise<GitAnswer> {
  return ONE_AT_A_TIME.has(args[0]) ? inTurn(cwd, () => ask(cwd, args, wishes)) : ask(cwd, args, wishes);
}

async function ask(cwd: string, args: readonly [string, ...string[]], wishes: GitWishes): Promise<GitAnswer> {
  const limits = { timeoutMs: LIMITS.worktreeCommandMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runGit({ cwd, args, withStderr: true, ...limits, ...wishes }, new AbortController().signal);
  if (result.kind !== "exited") return { ok: false, code: null, text: "" };
  return { ok: result.code === 0, code: result.code, text: result.stdout };
}

export const worktreeFailed = (target: string, message: string): ClawError =>
  new ClawError("WORKTREE_FAILED", message.slice(0, LIMITS.worktreeTailChars), { operation: "make_worktree", target });

/** Git's answer as one text. Throws WORKTREE_FAILED with what it said when it refuses. */
export async function requireGit(cwd: string, args: readonly [string, ...string[]], umask: number): Promise<string> {
  const { ok, text } = await askGit(cwd, args, { umask });
  if (ok) return text.trim();
  const said = text.trim().split("\n").at(-1) ?? "";
  throw worktreeFailed(cwd, `git ${args[0]} failed${said === "" ? "" : `: ${said}`}`);
}

/** Where a repository lies and what is checked out there. Throws NOT_A_REPOSITORY without one, or without a commit. */
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

/** Takes away a worktree that nobody has worked in yet, with all that its set-up made. */
export async function takeBack({ path, branch, repository }: JobWorktree): Promise<void> {
  await askGit(repository, ["worktree", "remove", "--force", path]);
  await askGit(repository, ["branch", "-D", branch]);
}
