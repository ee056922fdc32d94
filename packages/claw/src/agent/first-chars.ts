/** The first characters of a text, never half of one. */
export function firstChars(text: string, count: number): string {
  const start = text.slice(0, count);
  const isHalf = start.length < text.length && /[\uD800-\uDBFF]$/.test(start);
  return isHalf ? start.slice(0, -1) : start;
}
