import type { Observer, Orchestrator } from "claw-client";
import type { JobWorktree, ReceivedReply, VerbInput, VerbOutput, WorkerView } from "claw-contract";
import { ClawError } from "claw-contract";
import { isWorktree, noWorktree, worktreeOutput } from "./worker-work.ts";

interface WorkElsewhere {
  readonly worktree: JobWorktree;
  readonly diff: ReceivedReply<"worker.diff">;
}

/** Adds the machine to an error about its folders. */
async function onMachine<Result>(machine: string, asking: Promise<Result>): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof ClawError) || error.code === "MACHINE_AWAY") throw error;
    throw new ClawError(error.code, `${error.message} (on machine ${machine})`, error.options);
  }
}

/** The work of a worker on another machine, from that machine's daemon. Throws NO_WORKTREE, MACHINE_AWAY. */
export async function workElsewhere(
  bus: Pick<Observer, "request">,
  { peer_id: worker, name, worktree }: WorkerView,
  { machine, stat }: { readonly machine: string; readonly stat: boolean },
): Promise<WorkElsewhere> {
  if (!isWorktree(worktree)) {
    throw noWorktree(name, "has no worktree; one without work is removed when its worker ends");
  }
  return { worktree, diff: await onMachine(machine, bus.request("worker.diff", { worker, stat, take: true })) };
}

/** The answer of `diff` about a worker on another machine. */
export async function diffElsewhere(
  bus: Pick<Observer, "request">,
  view: WorkerView,
  where: { readonly machine: string; readonly stat: boolean },
): Promise<VerbOutput<"diff">> {
  const { machine, stat } = where;
  const { worktree, diff } = await workElsewhere(bus, view, where);
  const { peerId, name, base, files, commits, uncommitted, problem = null, patch, cut } = diff;
  return {
    peer_id: peerId,
    name,
    machine,
    worktree: worktreeOutput(worktree),
    base,
    files,
    commits,
    uncommitted,
    problem,
    patch: stat ? null : patch,
    patch_cut: !stat && cut,
  };
}

type MergeInput = Pick<VerbInput<"merge">, "worker" | "strategy" | "message" | "commit" | "dryRun">;

/** The answer of `merge` about a worker on another machine: its daemon merges, in its own repository. */
export async function mergeElsewhere(
  bus: Pick<Orchestrator, "request">,
  { peer_id: worker }: WorkerView,
  machine: string,
  { strategy, message, commit, dryRun }: MergeInput,
): Promise<VerbOutput<"merge">> {
  const said = message === undefined ? {} : { message };
  const merged = await onMachine(machine, bus.request("worker.merge", { worker, strategy, commit, dryRun, ...said }));
  const { noop: isNoop } = merged;
  const isDry = dryRun && !isNoop;
  return {
    peer_id: merged.peerId,
    name: merged.name,
    machine,
    strategy,
    branch: merged.branch,
    onto: merged.onto,
    before: merged.before,
    commit: merged.commit,
    commits_count: merged.commitsCount,
    files: merged.files,
    accepted: merged.accepted,
    effect: isNoop ? "noop" : isDry ? "would_update" : "updated",
    ...(isDry ? { would_affect: [`refs/heads/${merged.onto}`] } : {}),
  };
}
