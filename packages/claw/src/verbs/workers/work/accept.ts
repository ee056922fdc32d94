import type { Orchestrator } from "claw-client";
import type { VerbInput, VerbOutput, WorkerView } from "claw-contract";
import { ClawError, shellQuote } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import type { Paint } from "../../runtime/paint.ts";
import { onBus } from "../../bus/ask-bus.ts";
import { undoMergeText } from "./undo-merge-text.ts";

type Input = VerbInput<"accept">;
type Output = VerbOutput<"accept">;

type Work = Pick<Output, "machine" | "worktree" | "work">;

/** The changes in the worktree of a worker on another machine that are not merged yet. */
async function lookElsewhere(bus: Orchestrator, view: WorkerView, machine: string): Promise<Work> {
  const { describeChanges, worktreeOutput } = await import("./worker-work.ts");
  const { workElsewhere } = await import("./work-elsewhere.ts");
  const { worktree, diff } = await workElsewhere(bus, view, { machine, stat: true });
  const work = diff.merged === true ? null : describeChanges(diff, worktree.branch);
  return { machine, worktree: worktreeOutput(worktree), work };
}

/** Finds the worker's worktree, and describes the changes in it that are not merged yet. */
async function lookAtWork(bus: Orchestrator, worker: string): Promise<Work> {
  const { baseOf, describeChanges, findWorker, isTaken, requireChanges, requireWork, worktreeOutput } =
    await import("./worker-work.ts");
  try {
    const { view, elsewhere } = await findWorker(bus, worker);
    if (elsewhere !== null) return await lookElsewhere(bus, view, elsewhere);
    const work = requireWork(view);
    const changes = await requireChanges(work, await baseOf(work.worktree));
    const open = (await isTaken(work, changes)) ? null : describeChanges(changes, work.worktree.branch);
    return { worktree: worktreeOutput(work.worktree), work: open };
  } catch (error) {
    // A worker without a worktree, or one whose worktree went with an earlier call.
    if (error instanceof ClawError && ["NO_WORKTREE", "WORKTREE_FAILED", "WORKER_NOT_FOUND"].includes(error.code)) {
      return { worktree: null, work: null };
    }
    throw error;
  }
}

type Merged = Pick<Output, "merged" | "onto" | "before">;

async function mergeFirst(bus: Orchestrator, input: Input, ports: Ports): Promise<Merged> {
  const { mergeWorker } = await import("./merge-worker.ts");
  const { worker, strategy, commit, dryRun } = input;
  const merged = await mergeWorker(bus, { worker, strategy, commit, dryRun, message: undefined }, ports);
  return { merged: merged.commit, onto: merged.onto, before: merged.before };
}

const NOT_MERGED: Merged = { merged: null, onto: null, before: null };

/** Where merged work is, and how the merge is undone. */
function mergeText({ machine, merged, onto, before }: Output, paint: Paint): string[] {
  if (merged === null || onto === null || before === null) return [];
  const branch = machine === undefined ? onto : `${onto} of machine ${machine}`;
  return [`Merged into ${branch} as ${merged.slice(0, 12)}`, undoMergeText({ before, onto: branch }, paint)];
}

async function run(input: Input, ports: Ports): Promise<Output> {
  const { worker, note, yes, dryRun } = input;
  return onBus(ports, async (bus) => {
    const said = { worker, force: yes || dryRun, ...(note === undefined ? {} : { note }) };
    // Work that cannot be accepted is not merged, and work that cannot be merged is not accepted.
    if (input.merge) await bus.request("worker.accept", { ...said, dryRun: true });
    const merged = input.merge ? await mergeFirst(bus, input, ports) : NOT_MERGED;
    const where = await lookAtWork(bus, worker);
    // A dry run sets `force`: the bus then returns the objections instead of refusing.
    const { noop, peerId, ...judged } = await bus.request("worker.accept", { ...said, dryRun });
    const effect = noop ? "noop" : dryRun ? "would_update" : "updated";
    return {
      peer_id: peerId,
      name: judged.name,
      completion: "accepted" as const,
      result: judged.result,
      summary: judged.summary,
      objections: judged.objections,
      ...where,
      ...merged,
      effect,
      ...(effect === "would_update" ? { would_affect: [peerId] } : {}),
    };
  });
}

export const handler = handle("accept", {
  run,
  show: (output, paint) => {
    const { name, machine, summary, objections, effect, worktree, work } = output;
    const against = objections.length === 0 ? [] : [paint.yellow(`Although: ${objections.join(", ")}`)];
    const where = machine === undefined ? "" : ` of machine ${machine}`;
    const place = worktree === null ? "" : `${worktree.path}${where}, `;
    const open =
      work === null
        ? []
        : [
            `Its work is in ${place}not merged: ${work}`,
            `  ${paint.cyan(`claw diff ${shellQuote(name)}`)}, ${paint.cyan(`claw merge ${shellQuote(name)}`)}`,
          ];
    const word =
      effect === "noop" ? "Accepted before" : effect === "updated" ? paint.green("Accepted") : "Would accept";
    return [`${word} ${paint.bold(name)}: ${summary ?? ""}`, ...against, ...mergeText(output, paint), ...open].join(
      "\n",
    );
  },
});
