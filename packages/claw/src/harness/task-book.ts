import type { BackgroundTask } from "./run-update.ts";
import { remember } from "./stream-state.ts";

interface Task {
  readonly isBackground: boolean;
  readonly state: BackgroundTask["state"];
  /** Whether a turn has ended since its state changed. */
  readonly isOld: boolean;
}

/** What is known of the tasks beside a conversation. */
export interface TaskBook {
  note(task: BackgroundTask): void;
  /** A turn is over: who was cut off by now was cut off on purpose, or the agent knows. */
  noteTurnEnd(): void;
  running(): number;
  /** Whether the stream told of any. */
  hasAny(): boolean;
  /** Tasks in the background whose end nobody waited for: they run, or were cut off after the last turn. */
  leftBehind(): number;
}

export function createTaskBook(): TaskBook {
  const tasks = new Map<string, Task>();
  const count = (counts: (task: Task) => boolean): number => [...tasks.values()].filter(counts).length;
  return {
    note({ id, state, background }) {
      const known = tasks.get(id);
      // What has ended does not run again because a late report says so.
      if (known !== undefined && known.state !== "running" && state === "running") return;
      if (known?.state === "cut-off" && state === "ended") return;
      const isBackground = background ?? known?.isBackground ?? false;
      remember(tasks, id, { isBackground, state, isOld: false });
    },
    noteTurnEnd() {
      for (const [id, task] of tasks) if (!task.isOld) tasks.set(id, { ...task, isOld: true });
    },
    running: () => count(({ state }) => state === "running"),
    hasAny: () => tasks.size > 0,
    leftBehind: () =>
      count(
        ({ isBackground, state, isOld }) => isBackground && (state === "running" || (state === "cut-off" && !isOld)),
      ),
  };
}
