import { fstatSync } from "node:fs";
import { isTerminal } from "./output/is-terminal.ts";
import type { StandardInput } from "../verbs/index.ts";

function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isSocket() || stats.isFile();
  } catch {
    // A descriptor that was closed.
    return false;
  }
}

/** Node opens its stream for descriptor 0 when it is first touched; most calls never do. */
export const standardInput: StandardInput = {
  isTerminal: () => isTerminal(0),
  isPiped,
  chunks: () => process.stdin,
};
