import { appendFileSync, renameSync, statSync } from "node:fs";
import { LIMITS } from "@claw/contract";
import { errnoOf, PRIVATE_FILE } from "../files/index.ts";

/** The daemon's own log: what happened to it, one JSON object a line. */
export interface DaemonReport {
  write(event: string, details?: Readonly<Record<string, unknown>>): void;
}

const COPIES = 3;

/** Moves `daemon.log` to `daemon.log.1`, that to `.2`, and forgets the oldest. */
function rotate(path: string): void {
  for (let copy = COPIES; copy > 0; copy -= 1) {
    const from = copy === 1 ? path : `${path}.${copy - 1}`;
    if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${copy}`);
  }
}

export function openReport(path: string, now: () => number): DaemonReport {
  return {
    write: (event, details = {}) => {
      try {
        if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LIMITS.reportBytes) rotate(path);
        const line = JSON.stringify({ time: new Date(now()).toISOString(), pid: process.pid, event, ...details });
        appendFileSync(path, `${line}\n`, { mode: PRIVATE_FILE });
      } catch (error) {
        // The bus goes on without its own log when the disk is full; the events' log has the say there.
        if (errnoOf(error) === undefined) throw error;
      }
    },
  };
}
