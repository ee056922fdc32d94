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
