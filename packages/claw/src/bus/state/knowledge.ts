import type { EventLog } from "../log/index.ts";
import type { Belonging } from "./belonging.ts";
import { createBelonging } from "./belonging.ts";
import type { BudgetLimits } from "./budget.ts";
import type { BusState } from "./bus-state.ts";
import { createBusState } from "./bus-state.ts";
import type { Projection, Projections } from "./projection.ts";
import { createProjections } from "./projection.ts";
import type { Serial } from "./serial.ts";
import { createSerial } from "./serial.ts";

/** Records of tasks, workers, waves and so on, which follow from the log, and the order of decisions about them. */
export interface Knowledge {
  /** Rebuilt from the log after a restart. */
  readonly state: BusState;
  readonly projections: Projections;
  readonly serial: Serial;
  readonly belonging: Belonging;
}

export interface KnowledgeOptions {
  readonly log: Pick<EventLog, "machine">;
  readonly budget?: BudgetLimits | undefined;
  /** Asked for once, when the first event comes. */
  readonly everyProjection: () => readonly Projection[];
  readonly applied: Parameters<typeof createProjections>[1];
}

export function createKnowledge(options: KnowledgeOptions): Knowledge {
  const state = createBusState(options.budget ?? { thresholdsUsd: [] });
  return {
    state,
    projections: createProjections(options.everyProjection, options.applied),
    serial: createSerial(),
    belonging: createBelonging(options.log, state.presence),
  };
}
