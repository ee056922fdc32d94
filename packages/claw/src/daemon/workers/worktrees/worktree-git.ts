import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { JobWorktree } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { runGit } from "../../../process/index.ts";
import { readSmallFile } from "../../../files/index.ts";

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

/**
 * The private git folder of a daemon's worktree. Only commands of claw's own agent write there; the agent takes the
 * commits from there into the repository.
 */
export const privatePlace = (path: string): string => join(dirname(dirname(path)), "git", basename(path));

const COMMIT_ID = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/;
const MAX_FILES = 1000;
const MAX_TIPS = 100;

/** The files below a folder. Links are not followed, and count as files. */
function filesBelow(folder: string): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** The text of a file that git wrote, empty without a file; null when it is no readable text file. */
function textAt(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "";
  const file = stats.isFile() ? readSmallFile(path, LIMITS.settingsBytes) : null;
  return file?.kind === "text" ? file.text : null;
}

/** The commits to which references of a private folder point; null when they cannot be read. */
function privateTips(folder: string): string[] | null {
  const names = ["HEAD", ...filesBelow(join(folder, "refs")).map((path) => relative(folder, path))];
  const loose = names.slice(0, MAX_FILES).map((name) => [name, textAt(join(folder, name))] as const);
  const packed = textAt(join(folder, "packed-refs"));
  if (names.length > MAX_FILES || packed === null || loose.some(([, text]) => text === null)) return null;
  const lines = packed.split("\n").filter((line) => !line.startsWith("#"));
  // A reference in a separate file counts before a packed reference of the same name.
  const all = new Map([...lines.map((line) => [line.slice(line.indexOf(" ") + 1), line] as const), ...loose]);
  return [...new Set([...all.values()].flatMap((text) => COMMIT_ID.exec(text ?? "")?.[0] ?? []))];
}

/**
 * Whether a private git folder holds commits that no branch of the repository has. An unreadable folder counts as work.
 */
export async function holdsPrivateWork({ path, repository }: JobWorktree): Promise<boolean> {
  const folder = join(privatePlace(path), "folder");
  if (!existsSync(folder)) return false;
  const tips = privateTips(folder);
  const refs = await askGit(repository, ["for-each-ref", "--format=%(objectname)"]);
  const known = new Set(refs.text.split("\n"));
  const unknown = tips?.filter((tip) => !known.has(tip));
  if (unknown === undefined || unknown.length > MAX_TIPS) return true;
  for (const tip of unknown) {
    const holder = await askGit(repository, ["for-each-ref", "--count=1", "--contains", tip]);
    if (!holder.ok || holder.text.trim() === "") return true;
  }
  return false;
}
