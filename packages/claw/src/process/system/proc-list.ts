import { readdirSync } from "node:fs";
import type { ProcessList, ProcessStat } from "./process-list.ts";
import { readProc } from "./read-proc.ts";

const BOOT_DIGITS = 8;

function stat(pid: number): ProcessStat | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "?", parent, group, session] = fields;
  const [ofParent, ofGroup, ofSession] = [parent, group, session].map(Number) as [number, number, number];
  return { state, parent: ofParent, group: ofGroup, session: ofSession, started: fields[19] ?? "" };
}

function processIds(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isSafeInteger);
  } catch {
    // A container may lack /proc.
    return [];
  }
}

/** The files that Linux shows below `/proc`. */
export const procList: ProcessList = {
  stat,
  table: () => {
    const table = new Map<number, ProcessStat>();
    for (const pid of processIds()) {
      const found = stat(pid);
      if (found !== undefined) table.set(pid, found);
    }
    return table;
  },
  environment: (pid) => `\0${readProc(`/proc/${pid}/environ`) ?? ""}\0`,
  bootId: () => readProc("/proc/sys/kernel/random/boot_id")?.slice(0, BOOT_DIGITS) ?? null,
};
