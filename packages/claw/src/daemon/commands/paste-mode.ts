import type { Terminals, TerminalScreen } from "../../bus/index.ts";

/** How far back in a terminal's output is looked where its screen does not say. */
const LOOKED_AT_BYTES = 1024 * 1024;

const SWITCHES = /\u001b\[\?(?:\d+;)*2004(?:;\d+)*([hl])/g;

/** Whether the program in a terminal wants pastes to be marked: by its screen, or by the last it said of it. */
export async function takesPastes(
  terminals: Pick<Terminals, "read">,
  terminalId: string,
  { bracketedPaste }: TerminalScreen,
): Promise<boolean> {
  if (bracketedPaste !== undefined) return bracketedPaste;
  const { bytes } = await terminals.read(terminalId, { limit: LOOKED_AT_BYTES });
  return [...Buffer.from(bytes).toString("latin1").matchAll(SWITCHES)].at(-1)?.[1] === "h";
}
