import { readdirSync } from "node:fs";
import type { ProcessStat } from "./process-identity.ts";
import { readStat } from "./process-identity.ts";

/** Every process of this host at this moment; empty on a system without /proc. */
export function readProcessTable(): ReadonlyMap<number, ProcessStat> {
  const table = new Map<number, ProcessStat>();
  for (const pid of processIds()) {
    const stat = readStat(pid);
    if (stat !== undefined) table.set(pid, stat);
  }
  return table;
}

function processIds(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isSafeInteger);
  } catch {
    // A system without /proc.
    return [];
  }
}

/** Everything below a process, whatever group it is in by now. */
export function descendantsOf(ancestor: number, table = readProcessTable()): number[] {
  const children = new Map<number, number[]>();
  for (const [pid, { parent }] of table) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found: number[] = [];
  const queue = [...(children.get(ancestor) ?? [])];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    found.push(pid);
    queue.push(...(children.get(pid) ?? []));
  }
  return found;
}
