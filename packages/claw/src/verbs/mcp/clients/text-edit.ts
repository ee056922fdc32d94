/** One change of a text: the characters from `start` to `end` are replaced. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const byPlace = (left: TextEdit, right: TextEdit): number => left.start - right.start || left.end - right.end;

/** The text with all edits. Edits do not overlap; of two at one place, the earlier of the list comes first. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const edit of edits.toSorted(byPlace)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** The line end that a text uses; a text of one line gets the one of Unix. */
export const lineEndOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n");

/** The place of a character, counted from 1. */
export function editPlaceOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}
