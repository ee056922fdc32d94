import type { Span, Style } from "../../runtime/screen.ts";

/** An opening mark counts only when the closing mark follows within this many characters on the same line. */
const REACH = 400;

interface FoundSpan {
  readonly spans: readonly Span[];
  readonly length: number;
}

type Attempt = FoundSpan | "no" | "wait";

const plain = (text: string, styles: readonly Style[]): Span => ({ text, styles });

/** Answers `wait` while the rest of the line may still bring the closing mark, else `no`. */
const undecided = (text: string, at: number, isWhole: boolean): Attempt =>
  isWhole || text.length - at >= REACH + 2 ? "no" : "wait";

function codeSpan(text: string, at: number, styles: readonly Style[], isWhole: boolean): Attempt {
  const fence = /^`+/.exec(text.slice(at, at + REACH))?.[0] ?? "`";
  if (at + fence.length === text.length && !isWhole) return "wait";
  const from = at + fence.length;
  for (const match of text.slice(from, at + REACH).matchAll(/`+/g)) {
    const end = from + match.index;
    if (match[0].length !== fence.length) continue;
    if (end + fence.length === text.length && !isWhole) return "wait";
    const inner = text.slice(from, end);
    return {
      spans: [plain(inner.trim() === "" ? inner : inner.trim(), [...styles, "cyan"])],
      length: end + fence.length - at,
    };
  }
  return undecided(text, at, isWhole);
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character);

/**
 * `**`, `__`, `*`, `_`: closed by the same mark. No space stands next to a mark on the inside. Underscores inside of
 * words are plain text.
 */
function emphasis(text: string, at: number, styles: readonly Style[], isWhole: boolean): Attempt {
  const mark = text.charAt(at);
  if (at + 2 >= text.length && !isWhole) return "wait";
  const delimiter = text.charAt(at + 1) === mark ? mark + mark : mark;
  const from = at + delimiter.length;
  if (isSpace(text[from]) || text[from] === mark || (mark === "_" && isWord(text[at - 1]))) return "no";
  const limit = Math.min(text.length, at + REACH);
  for (let end = text.indexOf(delimiter, from + 1); end !== -1 && end < limit; end = text.indexOf(delimiter, end + 1)) {
    const after = end + delimiter.length;
    if (after === text.length && !isWhole) return "wait";
    const isLonger = text[after] === mark || (delimiter.length === 1 && text[end - 1] === mark);
    if (isSpace(text[end - 1]) || isLonger || (mark === "_" && isWord(text[after]))) continue;
    const style: Style = delimiter.length === 2 ? "bold" : "italic";
    const { spans } = renderInline(text.slice(from, end), 0, [...styles, style], true);
    return { spans, length: after - at };
  }
  return undecided(text, at, isWhole);
}

/** `[text](address)`: shows the text, and the address behind the text unless both are the same. */
function link(text: string, at: number, styles: readonly Style[], isWhole: boolean): Attempt {
  const rest = text.slice(at, at + REACH);
  const match = /^\[([^[\]]+)\]\(([^()\s]+)\)/.exec(rest);
  if (match !== null) {
    const [whole, label = "", address = ""] = match;
    const { spans } = renderInline(label, 0, [...styles, "underline"], true);
    const behind = label === address ? [] : [plain(` (${address})`, [...styles, "dim"])];
    return { spans: [...spans, ...behind], length: whole.length };
  }
  const isBegun = /^\[[^[\]]*(\](\([^()\s]*)?)?$/.test(rest);
  return isBegun ? undecided(text, at, isWhole) : "no";
}

function escaped(text: string, at: number, styles: readonly Style[], isWhole: boolean): Attempt {
  const next = text[at + 1];
  if (next === undefined) return isWhole ? "no" : "wait";
  return /[\\`*_[\]#>~|.!+-]/.test(next) ? { spans: [plain(next, styles)], length: 2 } : "no";
}

const MARKS: Readonly<Record<string, typeof codeSpan>> = {
  "`": codeSpan,
  "*": emphasis,
  _: emphasis,
  "[": link,
  "\\": escaped,
};

const PLAIN_RUN = /[^`*_[\\]+/y;
const MARK_RUN = /([`*_])\1*|[[\\]/y;

/**
 * Styles the text of a line from a position on. `isWhole` says that the line is complete. Otherwise, text whose meaning
 * is not decided yet waits, and `end` is where the waiting text begins. The result does not depend on the pieces in
 * which a line arrives.
 */
export function renderInline(
  text: string,
  from: number,
  styles: readonly Style[],
  isWhole: boolean,
): { readonly spans: readonly Span[]; readonly end: number } {
  const spans: Span[] = [];
  let at = from;
  while (at < text.length) {
    PLAIN_RUN.lastIndex = at;
    const run = PLAIN_RUN.exec(text)?.[0];
    if (run !== undefined) {
      spans.push(plain(run, styles));
      at += run.length;
      continue;
    }
    const attempt = MARKS[text.charAt(at)]?.(text, at, styles, isWhole) ?? "no";
    if (attempt === "wait") break;
    MARK_RUN.lastIndex = at;
    const literal = attempt === "no" ? (MARK_RUN.exec(text)?.[0] ?? text.charAt(at)) : "";
    // A run of marks at the end may grow.
    if (attempt === "no" && !isWhole && at + literal.length === text.length) break;
    spans.push(...(attempt === "no" ? [plain(literal, styles)] : attempt.spans));
    at += attempt === "no" ? literal.length : attempt.length;
  }
  return { spans, end: at };
}
