import type { Stage } from "../../stage.ts";
import { AudienceLeft } from "../../stage.ts";

/** Lines that scroll, and a line at the end in which somebody writes. */
export interface TerminalScreen {
  /** Adds lines above the one that is written in. */
  print(text: string): Promise<void>;
  /** Shows something else in the last line. */
  compose(text: string): Promise<void>;
}

/** Marks pastes from now on, and no more. */
export const PASTES_ON = "\u001b[?2004h";
export const PASTES_OFF = "\u001b[?2004l";

const CLEAR_LINE = "\r\u001b[K";
/** What fits into the last line of a narrow terminal. */
const COMPOSER_CHARS = 60;

const tail = (text: string): string => {
  const flat = text.replaceAll("\n", " ");
  return flat.length <= COMPOSER_CHARS ? flat : `…${flat.slice(-COMPOSER_CHARS)}`;
};

export function createTerminalScreen(stage: Stage): TerminalScreen {
  let last = "";
  const write = async (text: string): Promise<void> => {
    if (!(await stage.write("stdout", Buffer.from(text)))) throw new AudienceLeft();
  };
  return {
    print: (text) => write(`${CLEAR_LINE}${text.replaceAll(/\r?\n/g, "\r\n")}\r\n${last}`),
    compose: (text) => {
      last = tail(text);
      return write(`${CLEAR_LINE}${last}`);
    },
  };
}
