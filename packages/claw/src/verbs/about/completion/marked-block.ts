const BEGIN = "# >>> claw completion >>>";
/** The block of a file whose last line had no end: that line end belongs to the block too. */
const BEGIN_AFTER_END = "# >>> claw completion, with the line end before >>>";
const END = "# <<< claw completion <<<";

interface Block {
  readonly begin: string;
  readonly before: string;
  readonly after: string;
}

/** Finds claw's block: the last end, and the last begin before it. */
function findBlock(text: string): Block | undefined {
  const lines = text.split("\n");
  const end = lines.lastIndexOf(END);
  const start = lines.slice(0, Math.max(0, end)).findLastIndex((line) => line === BEGIN || line === BEGIN_AFTER_END);
  const begin = lines[start];
  if (begin === undefined || end === lines.length - 1) return undefined;
  const lineEnd = start === 0 || begin === BEGIN_AFTER_END ? "" : "\n";
  return { begin, before: lines.slice(0, start).join("\n") + lineEnd, after: lines.slice(end + 1).join("\n") };
}

/** The file without claw's block: byte for byte what it was before. Texts hold one byte in each character. */
export function withoutBlock(text: string): string {
  const block = findBlock(text);
  return block === undefined ? text : block.before + block.after;
}

/** The file with claw's block at its end, or where the block stands already. */
export function withBlock(text: string, lines: string): string {
  const whole = text === "" || text.endsWith("\n");
  const { begin, before, after } = findBlock(text) ?? {
    begin: whole ? BEGIN : BEGIN_AFTER_END,
    before: text,
    after: "",
  };
  const lineEnd = begin === BEGIN_AFTER_END ? "\n" : "";
  return `${before}${lineEnd}${begin}\n${lines}\n${END}\n${after}`;
}
