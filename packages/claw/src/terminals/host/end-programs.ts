import type { Terminal } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { ProcessTree } from "../../process/index.ts";
import { endCommands, endTree, signalTree, TREE_VARIABLE } from "../../process/index.ts";

/** How long to wait for killed processes to disappear. */
const FIRM_MS = 2000;

const markOf = ({ tree = null }: Pick<Terminal, "tree">): string | null =>
  tree === null ? null : `${TREE_VARIABLE}=${tree}`;

/** Variables that mark the programs of a terminal, to find them again. */
export const variablesOf = ({ tree = null }: Pick<Terminal, "tree">): Record<string, string> =>
  tree === null ? {} : { [TREE_VARIABLE]: tree };

/** Kills the processes that an ended agent of a worker left behind. Processes that other programs left behind stay. */
export async function endLeftBehind(about: Terminal): Promise<void> {
  const mark = markOf(about);
  if (mark !== null) await endTree({ leader: null, mark }, { politeMs: 0, firmMs: FIRM_MS });
}

/** Ends all processes that a terminal's first process started, as closing a window does. Kills the remaining ones. */
export async function endPrograms(about: Terminal): Promise<void> {
  const programs: ProcessTree = { leader: about.program, mark: markOf(about) };
  // Commands of a worker's agent clean up only while the agent lives.
  if (programs.mark !== null) await endCommands(programs, LIMITS.runCommandsMs);
  // An interactive shell ignores SIGTERM but ends on SIGHUP. A stopped process must continue to receive the signal.
  signalTree(programs, "SIGHUP");
  signalTree(programs, "SIGCONT");
  await endTree(programs, { politeMs: LIMITS.terminalCloseMs, firmMs: FIRM_MS });
}
