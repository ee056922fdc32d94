import { trimEndOf, replaceControls } from "claw-contract";
import type { TerminalScreen } from "claw-contract";
import type { Terminals } from "../../../bus/index.ts";

/** U+2400 and on: pictures of the control characters, in their order. */
const PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = "\u2421";

/**
 * Replaces a control character by a visible character. No character is left that a terminal or its program would act
 * upon: without an escape character no paste can end early, however the rest of the end sequence is spelt, split or
 * nested. Control characters above 0x7f have no pictures.
 */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code === DELETE) return DELETE_PICTURE;
  return code < DELETE ? String.fromCharCode(PICTURES + code) : "\ufffd";
}

/** A text that is safe within a bracketed paste: line ends and tabs stay, except at the end. */
export const inertPaste = (text: string): string =>
  trimEndOf(replaceControls(text.replaceAll(/\r\n?/g, "\n"), picture).replaceAll(/[\u2028\u2029]/g, "\n"), "\n\t ");

/** A text that is safe to type where every line end would enter the text before it: a single line. */
export const inertLine = (text: string): string => inertPaste(text).replaceAll(/[\n\t]+/g, " ");

/** The Enter key, written separately after the text. */
export const ENTER = "\r";

export const bracketed = (paste: string): string => `\u001b[200~${paste}\u001b[201~`;

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
