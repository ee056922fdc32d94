import type { LiveLine } from "../../verbs/index.ts";
import { cutToWidth, printableText } from "../../verbs/index.ts";

/** The line at the bottom of a terminal that changes while a verb works. Whatever else is printed makes it give way. */
export interface StatusLine extends LiveLine {
  /** Erases the line; until `back`, what is shown is only remembered. Calls nest. */
  away(): void;
  /** Draws the line again, with the text that was shown last. */
  back(): void;
}

export interface StatusLineDevice {
  /** Writes to the terminal. Never throws. */
  readonly write: (text: string) => void;
  /** Width of the terminal; 0 where it does not know. */
  readonly columns: () => number;
}

const CLEAR_LINE = "\r\u001B[K";
const DEFAULT_COLUMNS = 80;

/** A text as one line that leaves the last column free: a full line would wrap, and could not be erased. */
function fit(text: string, columns: number): string {
  const width = (columns > 0 ? columns : DEFAULT_COLUMNS) - 1;
  return cutToWidth(printableText(text).replaceAll(/\s+/g, " "), width);
}

export function createStatusLine({ write, columns }: StatusLineDevice): StatusLine {
  let text: string | null = null;
  let isDrawn = false;
  let absences = 0;
  const erase = (): void => {
    if (isDrawn) write(CLEAR_LINE);
    isDrawn = false;
  };
  const draw = (): void => {
    if (text === null || absences > 0) return;
    write(CLEAR_LINE + fit(text, columns()));
    isDrawn = true;
  };
  return {
    show: (next) => {
      text = next;
      draw();
    },
    clear: () => {
      text = null;
      erase();
    },
    away: () => {
      absences += 1;
      erase();
    },
    back: () => {
      absences -= 1;
      draw();
    },
  };
}
