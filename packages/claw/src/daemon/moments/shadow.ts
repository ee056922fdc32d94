import type { SavedFence, StoredEvent, WorkspaceBudget } from "../../bus/index.ts";
import { createBudget, createProjections, isStoredLogEntry } from "../../bus/index.ts";
import type { Memories, MemoryOptions } from "../supervision/memories.ts";
import { createMemories, loadMemories, projectionsIn, saveMemories } from "../supervision/memories.ts";

/** A state that is kept for later: the memories, the workspace's spending, and the time of the last event. */
export interface KeptState {
  readonly memories: Readonly<Record<string, unknown>>;
  readonly workspace: unknown;
  readonly ts: string;
  /** Absent while no event was written under a lease. */
  readonly fence?: SavedFence | undefined;
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

/** The fence as a kept state holds it. */
export const withFence = (fence: SavedFence | undefined): Pick<KeptState, "fence"> =>
  fence === undefined ? {} : { fence };

/** Begins at a kept state, or without one before the first event. */
export function createShadow(options: MemoryOptions, from?: { sequence: number; state: KeptState }): Shadow {
  const memories = createMemories(options);
  const workspace = createBudget({ thresholdsUsd: [] });
  const projections = createProjections(() => [workspace, ...Object.values(projectionsIn(memories))]);
  let ts = "";
  if (from !== undefined) {
    loadMemories(memories, from.state.memories);
    workspace.load(from.state.workspace);
    projections.startAfter(from.sequence);
    if (from.state.fence !== undefined) projections.fence.load(from.state.fence);
    ({ ts } = from.state);
  }
  return {
    memories,
    workspace,
    apply: (event) => {
      if (isStoredLogEntry(event)) projections.applyLogEntry(event, false);
      else projections.apply(event, false);
      ts = event.tsServer;
    },
    through: () => projections.through(),
    ts: () => ts,
    save: () => ({
      memories: saveMemories(memories),
      workspace: workspace.save(),
      ts,
      ...withFence(projections.fence.save()),
    }),
  };
}
