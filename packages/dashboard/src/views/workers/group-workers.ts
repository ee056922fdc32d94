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

/** What waits for a person, the most urgent first; of what has ended, the newest first. */
function inOrder(group: WorkerGroup, workers: readonly WorkerView[], needed: ReadonlySet<string>): WorkerView[] {
  const urgent = new Map([...needed].map((id, at) => [id, at]));
  const placeOf = ({ peer_id: id }: WorkerView): number => urgent.get(id) ?? urgent.size;
  if (group === "needs") return workers.toSorted((a, b) => placeOf(a) - placeOf(b));
  return group === "ended" ? workers.toSorted((a, b) => b.as_of.localeCompare(a.as_of)) : [...workers];
}

/**
 * Groups the workers by their need of a person, with headings, without empty groups. `needed` names the workers that
 * need a person, the most urgent first.
 */
export function groupWorkers(workers: readonly WorkerView[], needed: ReadonlySet<string>): readonly WorkerLine[] {
  return WORKER_GROUPS.flatMap((group) => {
    const inside = workers.filter((worker) => groupOf(worker, needed) === group);
    if (inside.length === 0) return [];
    const lines = withLineage(inOrder(group, inside, needed));
    return [{ kind: "heading", group, count: inside.length } as const, ...lines];
  });
}
