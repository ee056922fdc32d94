const LINE_WIDTH = 80;

/** Words on lines that fit a terminal, behind a margin. */
export function wrapText(text: string, margin: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && margin + line.length + 1 + word.length > LINE_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join(`\n${" ".repeat(margin)}`);
}
