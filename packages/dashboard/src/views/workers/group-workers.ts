import type { WorkerView } from "claw-contract";

export const WORKER_GROUPS = ["needs", "working", "waiting", "ended"] as const;
export type WorkerGroup = (typeof WORKER_GROUPS)[number];

const WAITING: ReadonlySet<WorkerView["state"]> = new Set(["starting", "rate_limited", "paused", "unknown"]);

function groupOf(worker: WorkerView, needed: ReadonlySet<string>): WorkerGroup {
  if (needed.has(worker.peer_id)) return "needs";
  if (worker.ended) return "ended";
  return WAITING.has(worker.state) ? "waiting" : "working";
}

/** One line of the list: a heading, or a worker below its heading. */
export type WorkerLine =
  | { readonly kind: "heading"; readonly group: WorkerGroup; readonly count: number }
  /** `depth` counts the parents of the worker that stand above it in the same group. */
  | { readonly kind: "worker"; readonly worker: WorkerView; readonly depth: number };

const MOST_DEPTH = 6;

/** Children stand below their parent where both are in the same group; newest first among the ended. */
function withLineage(workers: readonly WorkerView[]): WorkerLine[] {
  const ids = new Set(workers.map(({ peer_id: id }) => id));
  const childrenOf = (parent: string | null): readonly WorkerView[] =>
    workers.filter(({ parent_id: id }) => (parent === null ? id === null || !ids.has(id) : id === parent));
  const seen = new Set<string>();
  const walk = (list: readonly WorkerView[], depth: number): WorkerLine[] =>
    list.flatMap((worker) => {
      if (seen.has(worker.peer_id)) return [];
      seen.add(worker.peer_id);
      const below = depth < MOST_DEPTH ? walk(childrenOf(worker.peer_id), depth + 1) : [];
      return [{ kind: "worker", worker, depth } as const, ...below];
    });
  // Workers that are each other's parents have no top; they follow at the end.
  return [...walk(childrenOf(null), 0), ...walk(workers, 0)];
}

/** The workers by what they need of a person, with headings; groups without workers are left out. */
export function groupWorkers(workers: readonly WorkerView[], needed: ReadonlySet<string>): readonly WorkerLine[] {
  return WORKER_GROUPS.flatMap((group) => {
    const inside = workers.filter((worker) => groupOf(worker, needed) === group);
    if (inside.length === 0) return [];
    const ordered = group === "ended" ? inside.toSorted((a, b) => b.as_of.localeCompare(a.as_of)) : inside;
    return [{ kind: "heading", group, count: inside.length } as const, ...withLineage(ordered)];
  });
}
