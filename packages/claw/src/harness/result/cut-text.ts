/** The first `limit` characters of a text and a mark, or the text itself. A character outside the BMP counts as one. */
export function cutText(text: string, limit: number, mark: string): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (let taken = 0; taken < limit && end < text.length; taken++) {
    end += (text.codePointAt(end) ?? 0) > 0xff_ff ? 2 : 1;
  }
  return end >= text.length ? text : text.slice(0, end) + mark;
}
