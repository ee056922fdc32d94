export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

export type ReplaceOutcome =
  | { readonly kind: "replaced"; readonly text: string; readonly count: number }
  | { readonly kind: "refused"; readonly why: string };

const refused = (why: string): ReplaceOutcome => ({ kind: "refused", why });

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** Whether all lines end in CR LF. Models write LF, and mean the line ends of the file. */
const isCrLf = (text: string): boolean => text.includes("\r\n") && !/(?<!\r)\n/.test(text);

function withLineEndsOf(text: string, part: string): string {
  return isCrLf(text) ? part.replaceAll(/\r?\n/g, "\r\n") : part;
}

/** Replaces a part of a text. The part has to be there exactly, and only once unless `all` is set. */
export function replaceText(text: string, { oldText, newText, all }: Replacement): ReplaceOutcome {
  if (oldText === "") return refused("old_string is empty; write_file makes new files");
  const [part, other] = [withLineEndsOf(text, oldText), withLineEndsOf(text, newText)];
  if (part === other) return refused("old_string and new_string are the same");
  const count = countOf(text, part);
  if (count === 0) return refused("old_string is not in the file; it has to be there exactly, with its spaces");
  if (count > 1 && !all) {
    return refused(`old_string is in the file ${count} times; give more of what is around it, or set replace_all`);
  }
  return { kind: "replaced", text: text.split(part).join(other), count };
}
