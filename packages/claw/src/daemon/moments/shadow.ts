import type { StoredEvent, WorkspaceBudget } from "../../bus/index.ts";
import { createBudget, createProjections } from "../../bus/index.ts";
import type { Memories } from "../supervision/memories.ts";
import { createMemories, loadMemories, projectionsIn, saveMemories } from "../supervision/memories.ts";

/** A state that is kept for later: the memories, the workspace's spending, and the time of the last event. */
export interface KeptState {
  readonly memories: Readonly<Record<string, unknown>>;
  readonly workspace: unknown;
  readonly ts: string;
}

/** Memories beside those of the running daemon, which take in the log up to an earlier place. */
export interface Shadow {
  readonly memories: Memories;
  readonly workspace: Pick<WorkspaceBudget, "spentUsd">;
  /** Takes in the next event of the log. */
  apply(event: StoredEvent): void;
  /** Sequence of the last event. */
  through(): number;
  /** ISO time of the last event; empty before the first. */
  readonly ts: () => string;
  save(): KeptState;
}

/** Begins at a kept state, or without one before the first event. */
export function createShadow(env: NodeJS.ProcessEnv, from?: { sequence: number; state: KeptState }): Shadow {
  const memories = createMemories(env);
  const workspace = createBudget({ thresholdsUsd: [] });
  const projections = createProjections(() => [workspace, ...Object.values(projectionsIn(memories))]);
  let ts = "";
  if (from !== undefined) {
    loadMemories(memories, from.state.memories);
    workspace.load(from.state.workspace);
    projections.startAfter(from.sequence);
    ({ ts } = from.state);
  }
  return {
    memories,
    workspace,
    apply: (event) => {
      projections.apply(event, false);
      ts = event.tsServer;
    },
    through: () => projections.through(),
    ts: () => ts,
    save: () => ({ memories: saveMemories(memories), workspace: workspace.save(), ts }),
  };
}
