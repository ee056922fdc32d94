/**
 * Tables of word endings, for a look at the characters before a place that costs next to nothing. A character counts
 * with five bits: letters without their case, others as whatever comes of it. So a table may say yes too often.
 */
export type EndingTable = Uint8Array;

const BITS = 5;
const MASK = (1 << BITS) - 1;

/** The two characters before a place; there have to be so many. */
export function pairBefore(text: string, at: number): number {
  return ((text.charCodeAt(at - 2) & MASK) << BITS) | (text.charCodeAt(at - 1) & MASK);
}

/** The three characters before a place; there have to be so many. */
export function tripleBefore(text: string, at: number): number {
  return ((text.charCodeAt(at - 3) & MASK) << (2 * BITS)) | pairBefore(text, at);
}

/** A table of the last two characters of words, by `pairBefore`. */
export function pairTable(words: string): EndingTable {
  const marks = new Uint8Array(1 << (2 * BITS));
  for (const word of words.split(" ")) marks[pairBefore(word, word.length)] = 1;
  return marks;
}

/** A table of the last three characters of words, by `tripleBefore`. */
export function tripleTable(words: string): EndingTable {
  const marks = new Uint8Array(1 << (3 * BITS));
  for (const word of words.split(" ")) marks[tripleBefore(word, word.length)] = 1;
  return marks;
}
