const BEGIN = "# >>> claw completion >>>";
/** The block of a file whose last line had no end: that line end belongs to the block too. */
const BEGIN_AFTER_END = "# >>> claw completion, with the line end before >>>";
/** The block of a file that claw made: when nothing else is in the file, the file is removed with the block. */
const BEGIN_OF_NEW_FILE = "# >>> claw completion, in a file that claw made >>>";
const BEGINS: ReadonlySet<string> = new Set([BEGIN, BEGIN_AFTER_END, BEGIN_OF_NEW_FILE]);
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
  const start = lines.slice(0, Math.max(0, end)).findLastIndex((line) => BEGINS.has(line));
  const begin = lines[start];
  if (begin === undefined || end === lines.length - 1) return undefined;
  const lineEnd = start === 0 || begin === BEGIN_AFTER_END ? "" : "\n";
  return { begin, before: lines.slice(0, start).join("\n") + lineEnd, after: lines.slice(end + 1).join("\n") };
}

/** The file without claw's block: byte for byte what it was before, undefined when there was none. Texts hold one byte in each character. */
export function withoutBlock(text: string): string | undefined {
  const block = findBlock(text);
  if (block === undefined) return text;
  const rest = block.before + block.after;
  return rest === "" && block.begin === BEGIN_OF_NEW_FILE ? undefined : rest;
}

function beginOf(text: string | undefined): string {
  if (text === undefined) return BEGIN_OF_NEW_FILE;
  return text === "" || text.endsWith("\n") ? BEGIN : BEGIN_AFTER_END;
}

/** The file with claw's block at its end, or where the block stands already; a new file when there is none. */
export function withBlock(text: string | undefined, lines: string): string {
  const { begin, before, after } = findBlock(text ?? "") ?? { begin: beginOf(text), before: text ?? "", after: "" };
  const lineEnd = begin === BEGIN_AFTER_END ? "\n" : "";
  return `${before}${lineEnd}${begin}\n${lines}\n${END}\n${after}`;
}
