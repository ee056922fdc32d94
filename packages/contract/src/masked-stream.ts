import type { Redactor } from "./redact.ts";

/** A text that comes in pieces, with its secrets masked. */
export interface MaskedStream {
  /** Takes a piece, and returns what can be shown by now. What may be part of a secret is held back. */
  push(text: string): string;
  /** Returns what was held back: nothing more comes. */
  end(): string;
}

/** A longer line is not looked at as a whole again with each piece; this much of it stays as what a mask depends on. */
const LINE_CHARS = 4096;
const CONTEXT_CHARS = 1024;

/** Keys and tokens go on to the next space, or to a character that none of them has. */
const BOUNDARY = /[\s\u0080-\uffff](?=[^\s\u0080-\uffff]*$)/;

/** How much of a text ends with a whole word. */
function wholeWords(text: string): number {
  const found = BOUNDARY.exec(text);
  return found === null ? 0 : found.index + 1;
}

/** Where the part of a line begins that is kept to judge what follows it. */
function keepFrom(line: string): number {
  const start = line.lastIndexOf("\n") + 1;
  if (line.length - start <= LINE_CHARS) return start;
  return wholeWords(line.slice(0, line.length - CONTEXT_CHARS));
}

/** What a text goes on with behind another one; what a later mask has changed is left out. */
function after(shown: string, text: string): string {
  if (text.startsWith(shown)) return text.slice(shown.length);
  let common = 0;
  while (common < shown.length && shown[common] === text[common]) common += 1;
  return text.slice(Math.max(common, shown.length));
}

/** Masks a text that comes in pieces as it would be masked whole, line by line. */
export function createMaskedStream({ redactText, unfinishedAt }: Redactor): MaskedStream {
  /** What has come since the last line that is done with, and how much of it was shown. */
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
