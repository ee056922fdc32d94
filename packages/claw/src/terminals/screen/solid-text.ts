import type { IBufferLine } from "@xterm/headless";

/** The first non-blank cell from a column on. */
function nextShown(line: IBufferLine, column: number): ReturnType<IBufferLine["getCell"]> {
  for (let x = column; x < line.length; x += 1) {
    const cell = line.getCell(x);
    if (cell !== undefined && cell.getChars().trim() !== "") return cell;
  }
  return undefined;
}

/**
 * A line with blanks in place of faint text. Some programs draw a cursor by inverting the character under it. At the
 * cursor, an inverted character followed by faint text counts as faint too.
 */
export function solidText(line: IBufferLine | undefined, cursorColumn?: number): string {
  if (line === undefined) return "";
  let text = "";
  for (let x = 0; x < line.length; x += 1) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const isCursor = x === cursorColumn && cell.isInverse() !== 0;
    const isFaint = cell.isDim() !== 0 || (isCursor && (nextShown(line, x + 1)?.isDim() ?? 0) !== 0);
    text += isFaint ? " ".repeat(cell.getWidth()) : cell.getChars() || " ";
  }
  return text.trimEnd();
}
