import type { StoredProjection } from "./projection.ts";
import type { Budget, BudgetLimits } from "./budget.ts";
import { createBudget } from "./budget.ts";
import type { Deliveries } from "./deliveries.ts";
import { createDeliveries } from "./deliveries.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { createLifecycle } from "./lifecycle.ts";
import type { Pipelines } from "./pipelines.ts";
import { createPipelines } from "./pipelines.ts";
import type { StoredPresence } from "./presence.ts";
import { createStoredPresence } from "./presence.ts";
import type { Tasks } from "./tasks.ts";
import { createTasks } from "./tasks.ts";
import type { TerminalRecords } from "./terminal-records.ts";
import { createTerminalRecords } from "./terminal-records.ts";
import type { Waves } from "./waves.ts";
import { createWaves } from "./waves.ts";
import type { PhaseRecords } from "./phase-records.ts";
import { createPhaseRecords } from "./phase-records.ts";

/** The state of the bus that follows from the log. */
export interface BusState {
  readonly workers: PhaseRecords;
  readonly tasks: Tasks;
  readonly deliveries: Deliveries;
  readonly lifecycle: Lifecycle;
  readonly waves: Waves;
  readonly pipelines: Pipelines;
  readonly budget: Budget;
  readonly presence: StoredPresence;
  readonly terminals: TerminalRecords;
}

export function createBusState(budget: BudgetLimits): BusState {
  return {
    workers: createPhaseRecords(),
    tasks: createTasks(),
    deliveries: createDeliveries(),
    lifecycle: createLifecycle(),
    waves: createWaves(),
    pipelines: createPipelines(),
    budget: createBudget(budget),
    presence: createStoredPresence(),
    terminals: createTerminalRecords(),
  };
}

export const projectionsOf = (state: BusState): StoredProjection[] => Object.values(state);

/** The saved state of every part, by the part's name. */
export const saveState = (state: BusState): Record<string, unknown> =>
  Object.fromEntries(Object.entries(state).map(([name, part]: [string, StoredProjection]) => [name, part.save()]));

/** Whether the saved state contains every part. */
export const fitsState = (state: BusState, saved: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(state).every((name) => Object.hasOwn(saved, name));

/** Loads the result of `saveState` into every part. */
export function loadState(state: BusState, saved: Readonly<Record<string, unknown>>): void {
  for (const [name, part] of Object.entries(state) as [string, StoredProjection][]) part.load(saved[name]);
}
