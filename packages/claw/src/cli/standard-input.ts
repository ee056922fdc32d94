import { isTerminal } from "./is-terminal.ts";
import type { StandardInput } from "../verbs/index.ts";

/** Node opens its stream for descriptor 0 when it is first touched; most calls never do. */
export const standardInput: StandardInput = {
  isTerminal: () => isTerminal(0),
  chunks: () => process.stdin,
};
