import type { JsonObject } from "claw-contract";
import type { TaskCall, TaskStore } from "./task.ts";

/** Most tasks in one subscription. The server leaves further tasks out of its agreement. */
const MAX_TASKS = 100;

export interface TaskListening {
  readonly taskIds: readonly string[];
  /** Its signal ends the subscription. */
  readonly call: TaskCall;
}

type SendTask = (notification: { readonly method: "notifications/tasks"; readonly params: JsonObject }) => void;

/** Sends a subscription the present state of one task, then each later state. */
function follow(store: TaskStore, taskId: string, { call }: TaskListening, send: SendTask): void {
  let [isAsking, isOutdated, told] = [false, false, ""];
  const tell = async (): Promise<void> => {
    isOutdated = true;
    if (isAsking) return;
    isAsking = true;
    while (isOutdated && !call.signal.aborted) {
      isOutdated = false;
      // A store that cannot answer now tells of a change when it can again.
      const task = await store.get(taskId, call).catch(() => undefined);
      // The interval grows by itself and is no news.
      const text = JSON.stringify({ ...task, pollIntervalMs: undefined });
      if (task === undefined || text === told || call.signal.aborted) continue;
      told = text;
      send({ method: "notifications/tasks", params: { ...task } });
    }
    isAsking = false;
  };
  store.watch(taskId, call, () => void tell());
  void tell();
}

/**
 * The part of `subscriptions/listen` that is about tasks. Resolves with the ids that the subscription is told of; ids of
 * unknown tasks, and of other callers' tasks, are left out. `start` begins to send, until the call's signal is aborted.
 */
export async function listenTasks(
  store: TaskStore,
  listening: TaskListening,
  send: SendTask,
): Promise<{ readonly taskIds: readonly string[]; readonly start: () => void }> {
  const asked = [...new Set(listening.taskIds)].slice(0, MAX_TASKS);
  const known = await Promise.all(
    asked.map(async (taskId) => ((await store.get(taskId, listening.call)) === undefined ? [] : [taskId])),
  );
  const taskIds = known.flat();
  return { taskIds, start: () => taskIds.forEach((taskId) => follow(store, taskId, listening, send)) };
}
