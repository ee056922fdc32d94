import { nonEmptyText } from "claw-contract";
import type { StoredProjection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";
import type { LifecycleState } from "./lifecycle-state.ts";
import { evolveLifecycle } from "./lifecycle-state.ts";

const MONITOR_INTENTS = 1000;

export interface Lifecycle extends StoredProjection {
  /** Null before the first plan. */
  state(): LifecycleState | null;
  /** Whether a monitor was announced that has not come yet. */
  isMonitorPending(correlationId: string): boolean;
}

interface Saved {
  readonly state: LifecycleState | null;
  readonly intents: readonly string[];
}

/** The mission, from the server's own events. */
export function createLifecycle(): Lifecycle {
  let state: LifecycleState | null = null;
  const intents = new Set<string>();
  const intend = (correlationId: string): void => {
    intents.add(correlationId);
    const [oldest] = intents;
    if (intents.size > MONITOR_INTENTS && oldest !== undefined) intents.delete(oldest);
  };
  return {
    patterns: ["lifecycle.*"],
    apply: ({ topic, from, payload }) => {
      if (from !== "server") return;
      const fields = fieldsOf(payload);
      const correlationId = nonEmptyText(fields["correlation_id"]);
      if (topic === "lifecycle.monitor-intended" && correlationId !== undefined) intend(correlationId);
      if (topic === "lifecycle.monitor-claimed" && correlationId !== undefined) intents.delete(correlationId);
      state = evolveLifecycle(state, { topic, payload: fields });
    },
    save: (): Saved => ({ state, intents: [...intents] }),
    load: (saved) => {
      const known = saved as Saved;
      state = known.state;
      for (const correlationId of known.intents) intents.add(correlationId);
    },
    state: () => state,
    isMonitorPending: (correlationId) => intents.has(correlationId),
  };
}
