import type { StoredProjection } from "../../bus/index.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import { createWorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { ApprovalMemory } from "./approvals/approval-memory.ts";
import { maskedApprovals } from "./approvals/approvals.ts";
import type { BudgetMemory } from "./budgets/budget-memory.ts";
import { createBudgetMemory } from "./budgets/budget-memory.ts";
import type { CompletionMemory } from "./completion/completion-memory.ts";
import { createCompletionMemory } from "./completion/completion-memory.ts";
import type { WorkerMap } from "./states/worker-map.ts";
import { createWorkerMap } from "./states/worker-map.ts";
import type { TroubleMemory } from "./trouble/read-trouble.ts";
import { createTroubleMemory } from "./trouble/read-trouble.ts";

/** The memories from which a moment is shown. */
export interface Memories {
  readonly registry: WorkerRegistry;
  readonly workers: WorkerMap;
  readonly approvals: ApprovalMemory;
  readonly reports: CompletionMemory;
  readonly budgets: BudgetMemory;
  readonly trouble: TroubleMemory;
}

export interface MemoryOptions {
  /** Environment whose secrets are masked in approvals. */
  readonly env: NodeJS.ProcessEnv;
  /** The date of a time, by which spending counts for a day. */
  readonly dayOf: (iso: string) => string;
}

/** Makes empty memories. */
export function createMemories({ env, dayOf }: MemoryOptions): Memories {
  const registry = createWorkerRegistry();
  return {
    registry,
    workers: createWorkerMap(),
    approvals: maskedApprovals(env, registry),
    reports: createCompletionMemory(),
    budgets: createBudgetMemory(dayOf, registry),
    trouble: createTroubleMemory(registry),
  };
}

/** The projections of the memories by name, in the order in which they take in an event. The registry comes first. */
export const projectionsIn = (memories: Memories): Readonly<Record<string, StoredProjection>> => ({
  registry: memories.registry.memory,
  workers: memories.workers.memory,
  approvals: memories.approvals.projection,
  reports: memories.reports.projection,
  budgets: memories.budgets,
  trouble: memories.trouble,
});

/** The state of all memories, as plain JSON. */
export const saveMemories = (memories: Memories): Record<string, unknown> =>
  Object.fromEntries(Object.entries(projectionsIn(memories)).map(([name, memory]) => [name, memory.save()]));

/** Loads the result of `saveMemories` into empty memories. */
export function loadMemories(memories: Memories, saved: Readonly<Record<string, unknown>>): void {
  for (const [name, memory] of Object.entries(projectionsIn(memories))) memory.load(saved[name]);
}
