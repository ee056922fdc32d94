import { processList } from "../system/process-list.ts";
import { signalTo } from "../system/process-signals.ts";

/** Whether a group has a running member. A zombie does not run. */
export function groupRuns(leader: number): boolean {
  if (!signalTo(-leader, 0)) return false;
  const table = processList.table();
  if (table.size === 0) return true;
  return [...table.values()].some(({ group, state }) => group === leader && state !== "Z" && state !== "X");
}
