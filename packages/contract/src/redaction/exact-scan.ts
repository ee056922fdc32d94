const BLOCK = 2;
const TABLE_BITS = 12;
const TABLE_MASK = (1 << TABLE_BITS) - 1;

/** Two characters as a place in the table. Different pairs may share one; that costs time, never a find. */
const blockAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) << 5) ^ text.charCodeAt(at + 1)) & TABLE_MASK;

/**
 * Looks for any of many words at once, and takes no longer the more there are: after Wu and Manber, it looks at the
 * end of a window as long as the shortest word, and jumps as far as no word can begin. Words are at least two
 * characters long.
 */
export function createExactScan(words: readonly string[]): (text: string) => boolean {
  if (words.length === 0) return () => false;
  const window = Math.min(...words.map((word) => word.length));
  const jumps = new Uint8Array(1 << TABLE_BITS).fill(Math.min(255, window - BLOCK + 1));
  for (const word of words) {
    for (let at = 0; at + BLOCK <= window; at += 1) {
      const block = blockAt(word, at);
      jumps[block] = Math.min(jumps[block] as number, window - BLOCK - at);
    }
  }
  return (text) => {
    let at = window - BLOCK;
    while (at + BLOCK <= text.length) {
      const jump = jumps[blockAt(text, at)] as number;
      if (jump > 0) at += jump;
      else {
        const start = at - window + BLOCK;
        if (words.some((word) => text.startsWith(word, start))) return true;
        at += 1;
      }
    }
    return false;
  };
}
