import { LIMITS } from "@claw/contract";
import { endGroup, processGroup } from "../process/index.ts";

/** How long is waited for those who were killed. */
const FIRM_MS = 2000;

/** Ends everything that a terminal's first process started, as closing a window does; kills what does not go. */
export async function endPrograms(pid: number): Promise<void> {
  const group = processGroup(pid);
  // A shell that is asked to end stays; one whose terminal is gone does not. What is stopped has to go on to hear it.
  group.send("SIGHUP");
  group.send("SIGCONT");
  await endGroup(group, { politeMs: LIMITS.terminalCloseMs, firmMs: FIRM_MS });
}
