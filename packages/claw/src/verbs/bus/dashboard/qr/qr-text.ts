import { qrCode } from "./qr-code.ts";

/** White modules around a code, by which cameras find its border. */
const QUIET = 4;

/** Two modules above each other as one character. */
const HALVES = [" ", "▄", "▀", "█"];

const BLACK_ON_WHITE = "\u001B[30;107m";
const RESET = "\u001B[0m";

interface TerminalLook {
  readonly columns: number;
  /** Without colours, the code is drawn for a dark terminal: what is light is drawn. */
  readonly isColoured: boolean;
}

/** A QR code for a terminal. Empty when the text is too long for a code, or the code too wide for the terminal. */
export function qrText(text: string, { columns, isColoured }: TerminalLook): string {
  const modules = qrCode(text);
  if (modules === undefined || modules.length + 2 * QUIET > columns) return "";
  const isDrawn = (row: number, column: number): number => ((modules[row]?.[column] === true) === isColoured ? 1 : 0);
  const lines: string[] = [];
  for (let row = -QUIET; row < modules.length + QUIET; row += 2) {
    let line = "";
    for (let column = -QUIET; column < modules.length + QUIET; column += 1) {
      line += HALVES[2 * isDrawn(row, column) + isDrawn(row + 1, column)] ?? " ";
    }
    lines.push(isColoured ? `${BLACK_ON_WHITE}${line}${RESET}` : line);
  }
  return lines.join("\n");
}
