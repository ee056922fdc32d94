import { readdirSync } from "node:fs";
import type { ProcessStat } from "../process-identity.ts";
import { readStat } from "../process-identity.ts";

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
