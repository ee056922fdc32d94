import { readFileSync } from "node:fs";
import { processList } from "../../../process/index.ts";

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
  [...processList.table().keys()].some((pid) => commandOf(pid) === words);
