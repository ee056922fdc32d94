const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Character codes of `[` and `]`. The codes of `{` and `}` differ only in the added bit 0x20. */
const [OPEN, CLOSE, OBJECT_BIT] = [0x5b, 0x5d, 0x20];

/** Where a text that begins at a quote ends: at the quote that no backslash escapes, or at the end of the line. */
function endOfText(line: string, start: number): number {
  let at = start + 1;
  for (; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}

/** How often a character occurs, counted up to `limit` + 1. `indexOf` is quicker than a loop over all characters. */
function countUpTo(line: string, character: string, limit: number): number {
  let count = 0;
  for (let at = line.indexOf(character); at !== -1 && count <= limit; at = line.indexOf(character, at + 1)) count += 1;
  return count;
}

/**
 * Whether arrays and objects of a JSON line are nested deeper than `limit`. Takes time linear in the line, whatever
 * stands in it. For a line that is no JSON either answer may come: it cannot be parsed anyway.
 */
export function isTooDeep(line: string, limit: number): boolean {
  if (line.length <= limit || countUpTo(line, "[", limit) + countUpTo(line, "{", limit) <= limit) return false;
  let depth = 0;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) at = endOfText(line, at);
    else if ((code & ~OBJECT_BIT) === OPEN) depth += 1;
    else if ((code & ~OBJECT_BIT) === CLOSE) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
