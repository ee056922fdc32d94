/** A Markdown table whose cells may hold anything. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`).replaceAll("\n", " ")).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

export const NOTICE = "<!-- Made by `npm run generate` from packages/contract. -->";

export const code = (text: string): string => (text === "" ? "" : `\`${text}\``);
