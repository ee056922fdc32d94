/** How a private key begins and ends, whatever kind it is. */
const KEY_BEGIN = "-----BEGIN ";
const KEY_END = "-----END ";
/** Behind its last line a private key has this much at most. */
const KEY_END_CHARS = 80;

/** For each beginning of a word: the length of the longest shorter beginning that it ends with. */
function fallbacksOf(word: string): Uint32Array {
  const fallbacks = new Uint32Array(word.length);
  for (let at = 1, matched = 0; at < word.length; at += 1) {
    while (matched > 0 && word[at] !== word[matched]) matched = fallbacks[matched - 1] ?? 0;
    if (word[at] === word[matched]) matched += 1;
    fallbacks[at] = matched;
  }
  return fallbacks;
}

/** How long the longest beginning of a word is that a text ends with. Takes time in proportion to the word. */
function overlapOf(text: string, word: string): number {
  const from = text.indexOf(word.charAt(0), Math.max(0, text.length - word.length + 1));
  if (from === -1) return 0;
  const fallbacks = fallbacksOf(word);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== word[matched]) matched = fallbacks[matched - 1] ?? 0;
    if (text[at] === word[matched]) matched += 1;
  }
  return matched;
}

/** Where the end of a text is the beginning of a word, of several words the first place; the text's length when nowhere. */
const prefixAt = (text: string, words: readonly string[]): number =>
  text.length - Math.max(...words.map((word) => overlapOf(text, word)));

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
