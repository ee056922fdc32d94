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
}

export interface KnowledgeOptions {
  readonly budget?: BudgetLimits | undefined;
  /** Asked for once, when the first event comes. */
  readonly everyProjection: () => readonly Projection[];
  readonly applied: Parameters<typeof createProjections>[1];
}

export const createKnowledge = (options: KnowledgeOptions): Knowledge => ({
  state: createBusState(options.budget ?? { thresholdsUsd: [] }),
  projections: createProjections(options.everyProjection, options.applied),
  serial: createSerial(),
});
