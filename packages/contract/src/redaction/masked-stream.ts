import type { Redactor } from "./redact.ts";

/** A text that arrives in pieces, with the secrets masked. */
export interface MaskedStream {
  /** Takes a piece and returns the text that can be shown now. Holds back text that may be part of a secret. */
  push(text: string): string;
  /** Ends the stream and returns the held back text. */
  end(): string;
}

/**
 * A line longer than `LINE_CHARS` is not masked again as a whole with each piece. The last `CONTEXT_CHARS` characters
 * are kept, because a mask depends on the text before it.
 */
const LINE_CHARS = 4096;
const CONTEXT_CHARS = 1024;

/** Keys and tokens end at the next space, or at a character that no key or token has. */
const BOUNDARY = /[\s\u0080-\uffff](?=[^\s\u0080-\uffff]*$)/;

/** Length of the part of a text that ends with a whole word. */
function wholeWords(text: string): number {
  const found = BOUNDARY.exec(text);
  return found === null ? 0 : found.index + 1;
}

/** Start of the part of a line that is kept, because the masks of later text depend on the part. */
function keepFrom(line: string): number {
  const start = line.lastIndexOf("\n") + 1;
  if (line.length - start <= LINE_CHARS) return start;
  return wholeWords(line.slice(0, line.length - CONTEXT_CHARS));
}

/** The rest of `text` behind `shown`. Text that a later mask changed is left out. */
function after(shown: string, text: string): string {
  if (text.startsWith(shown)) return text.slice(shown.length);
  let common = 0;
  while (common < shown.length && shown[common] === text[common]) common += 1;
  return text.slice(Math.max(common, shown.length));
}

/** Masks a text in pieces, line by line, with the same result as for the whole text. */
export function createMaskedStream({ redactText, unfinishedAt }: Redactor): MaskedStream {
  /** Text since the last finished line, and the masked part already shown. */
  let raw = "";
  let shown = "";
  const show = (safe: string): string => {
    const masked = redactText(safe);
    const next = after(shown, masked);
    shown = masked.startsWith(shown) ? masked : shown + next;
    return next;
  };
  return {
    push: (text) => {
      raw += text;
      const safe = raw.slice(0, wholeWords(raw.slice(0, unfinishedAt(raw))));
      const next = show(safe);
      const kept = keepFrom(safe);
      raw = raw.slice(kept);
      if (kept > 0) shown = redactText(safe.slice(kept));
      return next;
    },
    end: () => {
      const next = show(raw);
      raw = "";
      shown = "";
      return next;
    },
  };
}
