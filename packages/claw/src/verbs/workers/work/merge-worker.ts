import type { Orchestrator } from "claw-client";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError, shellQuote } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { plural } from "../../text/text-layout.ts";
import type { MergeRequest } from "./merge-work.ts";
import { carryOut, commitAll, planMerge } from "./merge-work.ts";
import type { WorkerWork } from "./worker-work.ts";
import { mergeElsewhere } from "./work-elsewhere.ts";
import { baseOf, findWorker, requireChanges, requireWork, takeLeft } from "./worker-work.ts";

type Input = Pick<VerbInput<"merge">, "worker" | "strategy" | "message" | "commit" | "dryRun">;
type Output = VerbOutput<"merge">;

/** Commits of the worker's commands that cannot be taken would be left behind. */
async function requireTaken(work: WorkerWork, ports: Ports): Promise<void> {
  const problem = await takeLeft(work, ports);
  if (problem === null) return;
  throw new ClawError("WORKTREE_FAILED", `commits of ${work.name} cannot be taken: ${problem}`, {
    operation: "merge",
    target: work.name,
    hint: `Nothing was changed. Send the worker back to repair its branch: claw rework ${shellQuote(work.name)} REASON`,
  });
}

async function mayCommit(work: WorkerWork, files: readonly string[], { terminal, signal }: Ports): Promise<boolean> {
  const what = `${work.name} left ${plural(files.length, "file")} uncommitted (${files.slice(0, 3).join(", ")}).`;
  const answer = await terminal?.ask(`${what} Commit and merge them too? [y/N] `, signal);
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}

/**
 * Commits uncommitted files when the caller or the person wants that. Otherwise throws, so that no file is left behind.
 */
async function seeToUncommitted(work: WorkerWork, input: Input, ports: Ports): Promise<void> {
  const { uncommitted } = await requireChanges(work, await baseOf(work.worktree));
  if (uncommitted.length === 0) return;
  const { name, ended, worktree } = work;
  if (!ended && input.commit) {
    const message = `${name} still works on what is not committed`;
    throw new ClawError("WORKER_NOT_REPORTED", message, { operation: "merge", target: name });
  }
  if (input.commit || (ended && !input.dryRun && (await mayCommit(work, uncommitted, ports)))) {
    if (!input.dryRun) await commitAll(work, input.message ?? `${name}: work that it left uncommitted`);
    return;
  }
  const named = uncommitted.slice(0, 5).join(", ");
  throw new ClawError("UNCOMMITTED_WORK", `${name} left ${plural(uncommitted.length, "file")} uncommitted: ${named}`, {
    operation: "merge",
    target: name,
    hint: `Nothing was changed. Commit the files too: claw merge ${shellQuote(name)} --commit. Or look first: git -C ${worktree.path} status`,
    details: { files: [...uncommitted] },
  });
}

/** Merges the work of a worker. Throws what stands against it; then no branch and no file of the repository changed. */
export async function mergeWorker(bus: Pick<Orchestrator, "request">, input: Input, ports: Ports): Promise<Output> {
  const { view, elsewhere } = await findWorker(bus, input.worker);
  return elsewhere === null ? mergeHere(requireWork(view), input, ports) : mergeElsewhere(bus, view, elsewhere, input);
}

async function mergeHere(work: WorkerWork, input: Input, ports: Ports): Promise<Output> {
  const { name, worktree, peerId } = work;
  await requireTaken(work, ports);
  await seeToUncommitted(work, input, ports);
  const message = input.message ?? `Merge the work of ${name} (${worktree.branch})`;
  const request: MergeRequest = { name, worktree, strategy: input.strategy, message };
  const tried = await planMerge(request);
  const isNoop = tried.commit === tried.before;
  const isDry = input.dryRun && !isNoop;
  const plan = isNoop || isDry ? tried : await carryOut(request);
  return {
    peer_id: peerId,
    name,
    strategy: input.strategy,
    branch: worktree.branch,
    onto: plan.onto,
    before: plan.before,
    commit: isDry ? null : plan.commit,
    commits_count: plan.commitsCount,
    files: [...plan.files],
    accepted: work.accepted,
    effect: isNoop ? "noop" : isDry ? "would_update" : "updated",
    ...(isDry ? { would_affect: [`refs/heads/${plan.onto}`] } : {}),
  };
}
