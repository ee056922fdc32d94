import type { Projection } from "../projection.ts";
import type { Budget, BudgetLimits } from "./budget.ts";
import { createBudget } from "./budget.ts";
import type { Deliveries } from "./deliveries.ts";
import { createDeliveries } from "./deliveries.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { createLifecycle } from "./lifecycle.ts";
import type { Pipelines } from "./pipelines.ts";
import { createPipelines } from "./pipelines.ts";
import type { Presence } from "./presence.ts";
import { createPresence } from "./presence.ts";
import type { Tasks } from "./tasks.ts";
import { createTasks } from "./tasks.ts";
import type { Waves } from "./waves.ts";
import { createWaves } from "./waves.ts";
import type { Workers } from "./workers.ts";
import { createWorkers } from "./workers.ts";

/** Everything the bus knows that follows from the log. */
export interface BusState {
  readonly workers: Workers;
  readonly tasks: Tasks;
  readonly deliveries: Deliveries;
  readonly lifecycle: Lifecycle;
  readonly waves: Waves;
  readonly pipelines: Pipelines;
  readonly budget: Budget;
  readonly presence: Presence;
}

export function createBusState(budget: BudgetLimits): BusState {
  return {
    workers: createWorkers(),
    tasks: createTasks(),
    deliveries: createDeliveries(),
    lifecycle: createLifecycle(),
    waves: createWaves(),
    pipelines: createPipelines(),
    budget: createBudget(budget),
    presence: createPresence(),
  };
}

export const projectionsOf = (state: BusState): Projection[] => Object.values(state);
