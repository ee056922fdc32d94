import { LIMITS } from "@claw/contract";
import type { ProcessTree } from "../process/index.ts";
import { endCommands, endTree, signalTree, TREE_VARIABLE } from "../process/index.ts";
import type { AboutTerminal } from "./about-terminal.ts";

/** How long is waited for those who were killed. */
const FIRM_MS = 2000;

const markOf = ({ tree = null }: Pick<AboutTerminal, "tree">): string | null =>
  tree === null ? null : `${TREE_VARIABLE}=${tree}`;

/** Variables by which what runs in a terminal is found again. */
export const variablesOf = ({ tree = null }: Pick<AboutTerminal, "tree">): Record<string, string> =>
  tree === null ? {} : { [TREE_VARIABLE]: tree };

/** Kills what a worker's agent that has ended left behind. What other programs left behind stays. */
export async function endLeftBehind(about: AboutTerminal): Promise<void> {
  const mark = markOf(about);
  if (mark !== null) await endTree({ leader: null, mark }, { politeMs: 0, firmMs: FIRM_MS });
}

/** Ends everything that a terminal's first process started, as closing a window does; kills what does not go. */
export async function endPrograms(about: AboutTerminal): Promise<void> {
  const programs: ProcessTree = { leader: about.program, mark: markOf(about) };
  // Commands of a worker's agent tidy up only while the agent lives.
  if (programs.mark !== null) await endCommands(programs, LIMITS.runCommandsMs);
  // A shell that is asked to end stays; one whose terminal is gone does not. What is stopped has to go on to hear it.
  signalTree(programs, "SIGHUP");
  signalTree(programs, "SIGCONT");
  await endTree(programs, { politeMs: LIMITS.terminalCloseMs, firmMs: FIRM_MS });
}
