import { existsSync } from "node:fs";
import type { JobWorktree, ReplyFields } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { RequestHandler, RequestOutcome } from "../../../bus/index.ts";
import { error, handlePeers, ok } from "../../../bus/index.ts";
import { treeChanges, treeDiff } from "../../../process/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { workerRedactor } from "../worker-job.ts";
import { askGit } from "./worktree-git.ts";

type Diff = RequestOutcome<ReplyFields<"worker.diff">>;

export interface DiffDeps {
  readonly registry: Pick<WorkerRegistry, "find">;
  /** Environment whose secrets are masked. */
  readonly env: NodeJS.ProcessEnv;
}

/** Where the work of a worktree left the branch it came from. */
async function baseOf({ path, base, from }: JobWorktree): Promise<string> {
  if (from === null || from === undefined) return base;
  const found = await askGit(path, ["merge-base", `refs/heads/${from}`, "HEAD"]);
  return found.ok ? found.text.trim() : base;
}

async function diffOf({ peerId, name, spawned }: RegisteredWorker, env: NodeJS.ProcessEnv): Promise<Diff> {
  const worktree = (spawned?.worktree ?? null) as JobWorktree | null;
  if (worktree === null) return error(`${name} has no worktree`, { code: "NO_WORKTREE" });
  if (!existsSync(worktree.path)) return error(`${name} no longer has its worktree`, { code: "NO_WORKTREE" });
  const base = await baseOf(worktree);
  const tree = { path: worktree.path, base };
  const changes = await treeChanges(tree);
  const patch = changes === null ? null : await treeDiff(tree, LIMITS.wireDiffBytes);
  if (changes === null || patch === null) {
    return error(`git does not say what has changed in the worktree of ${name}`, { code: "WORKTREE_FAILED" });
  }
  const { redactText } = workerRedactor(env, { env: {} });
  const masked = redactText(patch);
  return ok({
    peerId,
    name,
    base,
    branch: worktree.branch,
    files: [...changes.files],
    commits: [...changes.commits],
    uncommitted: [...changes.uncommitted],
    patch: masked,
    cut: Buffer.byteLength(patch) >= LIMITS.wireDiffBytes,
  });
}

async function answer(diff: Promise<Diff>, name: string, done: (outcome: Diff) => void): Promise<void> {
  done(await diff.catch(() => error(`the changes of ${name} cannot be read`, { code: "WORKTREE_FAILED" })));
}

/** Answers `worker.diff`. Calls for the same worker while git runs get the same answer. */
export function diffRequest({ registry, env }: DiffDeps): RequestHandler {
  const running = new Map<string, Promise<Diff>>();
  return handlePeers("worker.diff", ({ request }, done) => {
    const worker = registry.find(request.worker);
    if (worker === undefined) {
      return done(error(`there is no worker ${request.worker.slice(0, 100)}`, { code: "WORKER_NOT_FOUND" }));
    }
    const { peerId, name } = worker;
    const diff = running.get(peerId) ?? diffOf(worker, env).finally(() => void running.delete(peerId));
    running.set(peerId, diff);
    return void answer(diff, name, done);
  });
}
