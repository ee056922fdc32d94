import { existsSync, realpathSync } from "node:fs";
import type { Observer } from "claw-client";
import type { JobWorktree, WorkerView } from "claw-contract";
import { ClawError, ENDED_STATES, LIMITS } from "claw-contract";
import type { TreeChanges } from "../../../process/index.ts";
import { isMerged, treeChanges, runGit } from "../../../process/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { changesText } from "./changes-text.ts";

interface GitSaid {
  readonly ok: boolean;
  /** Null when git did not come to an exit. */
  readonly code: number | null;
  readonly text: string;
}

/** Asks git in a folder and never rejects. `withStderr` adds what it complains about. */
export async function askIn(
  cwd: string,
  args: readonly [string, ...string[]],
  more: { readonly withStderr?: boolean; readonly env?: NodeJS.ProcessEnv; readonly trees?: readonly string[] } = {},
): Promise<GitSaid> {
  const limits = { timeoutMs: LIMITS.worktreeCommandMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runGit({ cwd, args, ...limits, ...more }, new AbortController().signal);
  if (result.kind !== "exited") return { ok: false, code: null, text: result.kind.replace("-", " ") };
  return { ok: result.code === 0, code: result.code, text: result.stdout };
}

/** A worker and its worktree. */
export interface WorkerWork {
  readonly peerId: string;
  readonly name: string;
  readonly worktree: JobWorktree;
  /** Whether the worker has ended. */
  readonly ended: boolean;
  /** Whether its work was accepted. */
  readonly accepted: boolean;
}

export const isWorktree = (
  value: Readonly<Record<string, unknown>> | null,
): value is Record<string, unknown> & JobWorktree =>
  value !== null && ["path", "branch", "base", "repository"].every((name) => typeof value[name] === "string");

const isNamed = ({ peer_id: id, name }: WorkerView, wanted: string): boolean => id === wanted || name === wanted;

/** A worker, and the other machine that it is on; null for a worker of this machine. */
export interface FoundWorker {
  readonly view: WorkerView;
  readonly elsewhere: string | null;
}

/** The worker of an id or a name: the newest that still works, or else the newest. Throws WORKER_NOT_FOUND. */
export async function findWorker(bus: Pick<Observer, "request">, wanted: string): Promise<FoundWorker> {
  const { workers, machine: here } = await bus.request("worker.list");
  const named = workers.filter((worker) => isNamed(worker, wanted));
  const view =
    named.find(({ peer_id: id }) => id === wanted) ??
    named.findLast(({ state }) => !ENDED_STATES.has(state)) ??
    named.at(-1);
  const message = `there is no worker ${wanted.slice(0, 100)}`;
  if (view === undefined) {
    throw new ClawError("WORKER_NOT_FOUND", message, { operation: "find", target: wanted.slice(0, 100) });
  }
  const isHere = here === undefined || view.machine === undefined || view.machine === here;
  return { view, elsewhere: isHere ? null : (view.machine ?? null) };
}

/** The fields of a worktree that answers show. */
export const worktreeOutput = ({ path, branch, base, from, repository }: JobWorktree) => ({
  path,
  branch,
  base,
  from: from ?? null,
  repository,
});

export const noWorktree = (name: string, why: string): ClawError =>
  new ClawError("NO_WORKTREE", `${name} ${why}`, { operation: "find_worktree", target: name });

const GONE = "no longer has its worktree: all its work was merged";

/** The worktree of a worker. Throws NO_WORKTREE when the worker has no worktree, or no longer has it. */
export function requireWork({ peer_id: peerId, name, worktree, state, completion }: WorkerView): WorkerWork {
  const place = isWorktree(worktree) ? worktree : null;
  if (place !== null && existsSync(place.path)) {
    return { peerId, name, worktree: place, ended: ENDED_STATES.has(state), accepted: completion === "accepted" };
  }
  throw noWorktree(name, place === null ? "has no worktree; one without work is removed when its worker ends" : GONE);
}

/**
 * Takes commits that a killed agent left apart. Resolves with why they cannot be taken; null when none are left. Throws
 * NO_WORKTREE when the daemon has removed the worktree meanwhile.
 */
export async function takeLeft({ name, worktree }: WorkerWork, { env }: Pick<Ports, "env">): Promise<string | null> {
  // Loaded late: it is a large part of the program, and needed only here.
  const { takeLeftCommits, probeSandbox } = await import("../../../agent/index.ts");
  if (!existsSync(worktree.path)) throw noWorktree(name, GONE);
  const root = realpathSync(worktree.path);
  return takeLeftCommits(root, () => probeSandbox({ workspace: { root, extraFolders: [] }, env }));
}

/** Where the work of a worktree left the branch it came from. */
export async function baseOf({ path, base, from }: JobWorktree): Promise<string> {
  if (from === null || from === undefined) return base;
  const found = await askIn(path, ["merge-base", `refs/heads/${from}`, "HEAD"]);
  return found.ok ? found.text.trim() : base;
}

/** What was done in a worktree. Throws NO_WORKTREE when it is gone meanwhile, WORKTREE_FAILED when git does not say. */
export async function requireChanges({ name, worktree }: WorkerWork, base: string): Promise<TreeChanges> {
  const changes = await treeChanges({ path: worktree.path, base });
  if (changes !== null) return changes;
  if (!existsSync(worktree.path)) throw noWorktree(name, GONE);
  const message = `git does not say what has changed in ${worktree.path}`;
  throw new ClawError("WORKTREE_FAILED", message, { operation: "diff", target: name });
}

/** Whether the removal of a worktree would lose no work: all changes are committed and on the branch they came from. */
export async function isTaken({ worktree }: WorkerWork, { uncommitted }: TreeChanges): Promise<boolean> {
  const { path, from, repository } = worktree;
  const head = await askIn(path, ["rev-parse", "HEAD"]);
  if (uncommitted.length > 0 || !head.ok) return false;
  const onto = from === null || from === undefined ? "HEAD" : `refs/heads/${from}`;
  return isMerged({ path: repository, askGit: askIn }, head.text.trim(), [onto]);
}

const sum = (changes: TreeChanges, field: "insertions" | "deletions"): number =>
  changes.files.reduce((total, file) => total + (file[field] ?? 0), 0);

/** Describes the changes in one line; null when there are none. */
export function describeChanges(changes: TreeChanges, branch: string): string | null {
  const { files, commits, uncommitted } = changes;
  const lines = { insertions: sum(changes, "insertions"), deletions: sum(changes, "deletions") };
  const counts = { files: files.length, commits: commits.length, uncommitted: uncommitted.length };
  return changesText({ ...counts, ...lines }, branch);
}
