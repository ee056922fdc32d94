import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Orchestrator } from "claw-client";
import type { VerbInput, VerbOutput, WorkerView } from "claw-contract";
import { ClawError } from "claw-contract";
import { requireConsent } from "../runtime/require-consent.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import type { Paint } from "../runtime/paint.ts";
import { plural } from "../text/text-layout.ts";
import { onBus } from "../bus/ask-bus.ts";

type Input = VerbInput<"prune">;
type Output = VerbOutput<"prune">;
type Prunable = Pick<Output, "removed" | "kept">;

const pathOf = ({ worktree }: WorkerView): string | null => {
  const path = worktree?.["path"];
  return typeof path === "string" ? path : null;
};

/** Removes one worker. A worker that cannot be removed does not keep the others. */
async function removeOne(bus: Orchestrator, worker: WorkerView, dryRun: boolean): Promise<Partial<Prunable>> {
  const { peer_id, name, state } = worker;
  try {
    const { paths } = await bus.request("worker.remove", { worker: peer_id, dryRun });
    return { removed: [{ peer_id, name, state, paths }] };
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    // Removed by another call meanwhile.
    if (error.code === "WORKER_NOT_FOUND") return {};
    return { kept: [{ peer_id, name, path: pathOf(worker), reason: error.message }] };
  }
}

async function removeAll(bus: Orchestrator, workers: readonly WorkerView[], dryRun: boolean): Promise<Prunable> {
  const [removed, kept]: [Output["removed"], Output["kept"]] = [[], []];
  for (const worker of workers) {
    const one = await removeOne(bus, worker, dryRun);
    removed.push(...(one.removed ?? []));
    kept.push(...(one.kept ?? []));
  }
  return { removed, kept };
}

/** Worktrees whose workers are no longer known. No record says how the worktrees began, so `prune` keeps them. */
function orphans({ cwd }: Ports, workers: readonly WorkerView[]): Output["kept"] {
  const folder = join(cwd, ".claws", "worktrees");
  const known = new Set(workers.map(pathOf));
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .map((name) => ({ peer_id: null, name, path: join(folder, name), reason: "its worker is no longer known" }))
    .filter(({ path }) => !known.has(path));
}

const pruneOutput = ({ removed, kept }: Prunable, dryRun: boolean): Output => ({
  removed_count: removed.length,
  kept_count: kept.length,
  removed,
  kept,
  effect: removed.length === 0 ? "noop" : dryRun ? "would_delete" : "deleted",
  ...(dryRun ? { would_affect: removed.flatMap(({ paths }) => paths) } : {}),
});

async function prune(bus: Orchestrator, { fleet, yes, dryRun }: Input, ports: Ports): Promise<Output> {
  const { workers } = await bus.request("worker.list");
  const ended = workers.filter((worker) => worker.ended && (fleet === undefined || worker.fleet === fleet));
  const left = fleet === undefined ? orphans(ports, workers) : [];
  const planned = await removeAll(bus, ended, true);
  const preview = pruneOutput({ ...planned, kept: [...planned.kept, ...left] }, true);
  if (dryRun || planned.removed.length === 0) return dryRun ? preview : { ...preview, would_affect: undefined };
  const question = `Remove ${plural(planned.removed.length, "ended worker")}, logs included`;
  await requireConsent({ question, operation: "prune", target: "workers", yes, partial: preview }, ports);
  const done = await removeAll(bus, ended, false);
  return pruneOutput({ ...done, kept: [...done.kept, ...left] }, false);
}

function show({ removed, kept, effect }: Output, paint: Paint): string {
  const lines = removed.map(
    ({ name, peer_id: id, state }) => `  ${paint.bold(name)} ${paint.dim(`(${id}, ${state})`)}`,
  );
  const stays = kept.map(({ name, reason }) => `  ${paint.bold(name)}: ${reason}`);
  const verb = effect === "would_delete" ? "Would remove" : "Removed";
  return [
    removed.length === 0 ? "No ended workers to remove." : `${verb} ${plural(removed.length, "worker")}:`,
    ...lines,
    ...(stays.length === 0 ? [] : [`Kept ${stays.length}:`, ...stays]),
  ].join("\n");
}

export const handler = handle("prune", {
  run: async (input, ports) => {
    return onBus(ports, async (bus) => {
      return await prune(bus, input, ports);
    });
  },
  show,
});
