import type { Stage } from "../stage.ts";
import { AudienceLeft } from "../stage.ts";

/** Rows below everything else, and where among them the cursor stands. */
export interface BottomRows {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Lines that scroll, and bottom rows in which the person writes or chooses. */
export interface PlayedScreen {
  /** Adds lines above the rows at the end. */
  print(text: string): Promise<void>;
  /** Shows other rows at the end. */
  compose(bottom: BottomRows): Promise<void>;
}

/** Escape sequences that turn the marking of pastes on and off. */
export const PASTES_ON = "\u001b[?2004h";
export const PASTES_OFF = "\u001b[?2004l";

const CLEAR_BELOW = "\u001b[J";
const move = (count: number, direction: "A" | "C"): string => (count > 0 ? `\u001b[${count}${direction}` : "");
const lineEnds = (text: string): string => text.replaceAll(/\r?\n/g, "\r\n");

const draw = ({ rows, cursor }: BottomRows): string =>
  `${rows.join("\r\n")}${move(rows.length - 1 - cursor.row, "A")}\r${move(cursor.column, "C")}`;

export function createTerminalScreen(stage: Stage): PlayedScreen {
  let bottom: BottomRows = { rows: [""], cursor: { row: 0, column: 0 } };
  const write = async (text: string): Promise<void> => {
    if (!(await stage.write("stdout", Buffer.from(text)))) throw new AudienceLeft();
  };
  const erase = (): string => `${move(bottom.cursor.row, "A")}\r${CLEAR_BELOW}`;
  return {
    print: (text) => write(`${erase()}${lineEnds(text)}\r\n${draw(bottom)}`),
    compose: (next) => {
      const erased = erase();
      bottom = next;
      return write(erased + draw(bottom));
    },
  };
}

/** From here on characters may take two columns. */
const WIDE_FROM = 0x1100;

const characterWidth = (character: string): number => ((character.codePointAt(0) ?? 0) < WIDE_FROM ? 1 : 2);

/** A line as rows of at most `columns` columns, and the width of the last row. */
export function wrap(line: string, columns: number): { readonly rows: readonly string[]; readonly width: number } {
  const rows = [""];
  let width = 0;
  for (const character of line) {
    if (width + characterWidth(character) > columns) {
      rows.push("");
      width = 0;
    }
    rows.push(`${rows.pop() ?? ""}${character}`);
    width += characterWidth(character);
  }
  return { rows, width };
}
