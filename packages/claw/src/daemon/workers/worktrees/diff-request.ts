import { existsSync } from "node:fs";
import type { JobWorktree, ReadRequest, ReplyFields } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { RequestHandler, RequestOutcome } from "../../../bus/index.ts";
import { error, handlePeers, ok } from "../../../bus/index.ts";
import { isMerged, treeChanges, treeDiff } from "../../../process/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { workerRedactor } from "../worker-job.ts";
import { askGit } from "./worktree-git.ts";
import type { RunOwnVerb } from "./run-own-verb.ts";

type Diff = RequestOutcome<ReplyFields<"worker.diff">>;

export interface DiffDeps {
  readonly registry: Pick<WorkerRegistry, "find">;
  /** Environment whose secrets are masked. */
  readonly env: NodeJS.ProcessEnv;
  readonly runVerb: RunOwnVerb;
}

/** Where the work of a worktree left the branch it came from. */
async function baseOf({ path, base, from }: JobWorktree): Promise<string> {
  if (from === null || from === undefined) return base;
  const found = await askGit(path, ["merge-base", `refs/heads/${from}`, "HEAD"]);
  return found.ok ? found.text.trim() : base;
}

/** Whether all changes are committed, and on the branch that the worktree came from. */
async function isTaken({ path, from, repository }: JobWorktree, uncommitted: readonly string[]): Promise<boolean> {
  const head = await askGit(path, ["rev-parse", "HEAD"]);
  if (uncommitted.length > 0 || !head.ok) return false;
  const onto = from === null || from === undefined ? "HEAD" : `refs/heads/${from}`;
  return isMerged({ path: repository, askGit }, head.text.trim(), [onto]);
}

/** Puts commits that a killed agent left apart on the worker's branch, as `claw diff` does. */
async function takeLeft({ runVerb }: DiffDeps, peerId: string): Promise<string | null> {
  const { problem } = await runVerb(["diff", peerId, "--stat"]);
  return typeof problem === "string" ? problem : null;
}

type Wanted = Pick<ReadRequest<"worker.diff">, "stat" | "take">;

async function diffOf(
  deps: DiffDeps,
  { peerId, name, spawned }: RegisteredWorker,
  { stat, take }: Wanted,
): Promise<Diff> {
  const worktree = (spawned?.worktree ?? null) as JobWorktree | null;
  if (worktree === null) return error(`${name} has no worktree`, { code: "NO_WORKTREE" });
  if (!existsSync(worktree.path)) return error(`${name} no longer has its worktree`, { code: "NO_WORKTREE" });
  const problem = take ? await takeLeft(deps, peerId) : null;
  const base = await baseOf(worktree);
  const tree = { path: worktree.path, base };
  const changes = await treeChanges(tree);
  const patch = changes === null ? null : stat ? "" : await treeDiff(tree, LIMITS.wireDiffBytes);
  if (changes === null || patch === null) {
    return error(`git does not say what has changed in the worktree of ${name}`, { code: "WORKTREE_FAILED" });
  }
  const { redactText } = workerRedactor(deps.env, { env: {} });
  return ok({
    peerId,
    name,
    base,
    branch: worktree.branch,
    files: [...changes.files],
    commits: [...changes.commits],
    uncommitted: [...changes.uncommitted],
    patch: redactText(patch),
    cut: Buffer.byteLength(patch) >= LIMITS.wireDiffBytes,
    ...(take ? { problem, merged: await isTaken(worktree, changes.uncommitted) } : {}),
  });
}

async function answer(diff: Promise<Diff>, name: string, done: (outcome: Diff) => void): Promise<void> {
  const failed = (failure: unknown): Diff =>
    failure instanceof ClawError
      ? error(failure.message, { code: failure.code, hint: failure.hint })
      : error(`the changes of ${name} cannot be read`, { code: "WORKTREE_FAILED" });
  done(await diff.catch(failed));
}

/** Answers `worker.diff`. Calls for the same worker while git runs get the same answer. */
export function diffRequest(deps: DiffDeps): RequestHandler {
  const running = new Map<string, Promise<Diff>>();
  return handlePeers("worker.diff", ({ request }, done) => {
    const worker = deps.registry.find(request.worker);
    if (worker === undefined) {
      return done(error(`there is no worker ${request.worker.slice(0, 100)}`, { code: "WORKER_NOT_FOUND" }));
    }
    const key = `${worker.peerId} ${String(request.stat)} ${String(request.take)}`;
    const diff = running.get(key) ?? diffOf(deps, worker, request).finally(() => void running.delete(key));
    running.set(key, diff);
    return void answer(diff, worker.name, done);
  });
}
