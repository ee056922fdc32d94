/**
 * Whether a text is what a pattern says, `*` being any text without the characters `never`. Goes back to the last star
 * only, which is enough, so the time is in proportion to pattern times text, however many stars there are.
 */
export function fitsStars(pattern: string, text: string, never = ""): boolean {
  let [at, next, star, from] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[next] === "*") {
      star = next;
      from = at;
      next += 1;
    } else if (pattern[next] === text[at]) {
      at += 1;
      next += 1;
    } else if (star >= 0 && !never.includes(text.charAt(from))) {
      from += 1;
      at = from;
      next = star + 1;
    } else return false;
  }
  while (pattern[next] === "*") next += 1;
  return next === pattern.length;
}
