import type { Terminal } from "claw-contract";
import { ClawError } from "claw-contract";
import { findMeant, noTerminal } from "../workers/find-terminal.ts";
import { lookElsewhere } from "../workers/terminal-elsewhere.ts";
import type { Ports } from "../runtime/handle.ts";

/** A terminal by its id or name, or by its worker. Throws TERMINAL_NOT_FOUND. */
export function knownTerminal(id: string, ports: Ports): Terminal {
  const meant = findMeant(id, ports);
  if (meant?.kind === "terminal") return meant.terminal;
  throw noTerminal(id);
}

/** The same, when it is still open. Throws TERMINAL_NOT_FOUND. */
export function openTerminal(id: string, ports: Ports): Terminal {
  const about = knownTerminal(id, ports);
  if (about.end === null) return about;
  throw new ClawError("TERMINAL_NOT_FOUND", `terminal ${about.id} is closed`, {
    operation: "find_terminal",
    target: id,
    hint: `Open another: claw terminal create. Read its output: claw logs ${about.id}.`,
  });
}

/** The same on any machine of the cluster. Rejects with TERMINAL_NOT_FOUND, MACHINE_AWAY. */
export async function openAnywhere(id: string, ports: Ports): Promise<Pick<Terminal, "id">> {
  const { terminalId: found = null } = (await lookElsewhere(id, ports)) ?? {};
  return found === null ? openTerminal(id, ports) : { id: found };
}

/** A terminal of any machine, open or closed. Rejects with TERMINAL_NOT_FOUND, MACHINE_AWAY. */
export async function knownAnywhere(id: string, ports: Ports): Promise<Pick<Terminal, "id" | "end">> {
  const { terminalId: found = null } = (await lookElsewhere(id, ports)) ?? {};
  return found === null ? knownTerminal(id, ports) : { id: found, end: null };
}
