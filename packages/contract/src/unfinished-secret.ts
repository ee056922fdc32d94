/** How a private key begins and ends, whatever kind it is. */
const KEY_BEGIN = "-----BEGIN ";
const KEY_END = "-----END ";
/** Behind its last line a private key has this much at most. */
const KEY_END_CHARS = 80;

/** Where the end of a text is the beginning of a word, or of the first of several; its length when it is of none. */
function prefixAt(text: string, words: readonly string[]): number {
  let first = text.length;
  for (const word of words) {
    const from = Math.max(0, text.length - word.length + 1);
    for (
      let at = text.indexOf(word.charAt(0), from);
      at !== -1 && at < first;
      at = text.indexOf(word.charAt(0), at + 1)
    ) {
      if (word.startsWith(text.slice(at))) first = at;
    }
  }
  return first;
}

/** Where a private key begins that has not ended; the length of the text when there is none. */
function openKeyAt(text: string): number {
  const begin = text.lastIndexOf(KEY_BEGIN);
  if (begin === -1) return text.length;
  const end = text.indexOf(KEY_END, begin);
  return end === -1 || text.length < end + KEY_END_CHARS ? begin : text.length;
}

/** Where a secret may begin in a text whose rest is still to come; the length of the text when nowhere. */
export const findUnfinished = (text: string, secrets: readonly string[]): number =>
  Math.min(prefixAt(text, [...secrets, KEY_BEGIN]), openKeyAt(text));
