import type { DurableStore } from "../../bus/index.ts";
import type { ClusterDurables, StreamLog } from "../../cluster/index.ts";

/**
 * Durable subscriptions of a cluster for a bus that may lag: a reader that comes from another machine may have acknowledged
 * events that this machine's feed has yet to bring. The feed is waited for, so that they do not count as lost.
 */
export function followedDurables(
  store: ClusterDurables,
  log: Pick<StreamLog, "epoch" | "head" | "reached">,
): DurableStore {
  return {
    ...store,
    attach: async (name) => {
      for (;;) {
        // Another machine may have taken the name, or saved a later place, during the wait.
        const record = await store.attach(name);
        const isHere = record === undefined || record.epoch !== log.epoch || record.acked <= log.head();
        if (isHere || !(await log.reached(record.acked))) return record;
      }
    },
  };
}
