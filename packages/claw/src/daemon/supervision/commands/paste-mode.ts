import type { TerminalScreen } from "claw-contract";
import type { Terminals } from "../../../bus/index.ts";

/** Bytes of the terminal's last output that are searched when the screen does not tell the mode. */
const LOOKED_AT_BYTES = 1024 * 1024;

const SWITCHES = /\u001b\[\?(?:\d+;)*2004(?:;\d+)*([hl])/g;

/**
 * Whether the program in a terminal wants pastes to be marked, according to the screen or to the last switch in the
 * output.
 */
export async function takesPastes(
  terminals: Pick<Terminals, "read">,
  terminalId: string,
  { bracketedPaste }: TerminalScreen,
): Promise<boolean> {
  if (bracketedPaste !== undefined) return bracketedPaste;
  const { bytes } = await terminals.read(terminalId, { limit: LOOKED_AT_BYTES });
  return [...Buffer.from(bytes).toString("latin1").matchAll(SWITCHES)].at(-1)?.[1] === "h";
}
