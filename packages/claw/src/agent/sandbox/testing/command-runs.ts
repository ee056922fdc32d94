import { readFileSync } from "node:fs";
import { readProcessTable } from "../../../process/tree/process-table.ts";

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

/** Whether a process of these words runs anywhere on this machine, in a sandbox or not. */
export const commandRuns = (words: string): boolean =>
  [...readProcessTable().keys()].some((pid) => commandOf(pid) === words);
