/** A part of a line. A link has where it leads. */
export type Span =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis"; readonly inside: readonly Span[] }
  | { readonly kind: "link"; readonly text: string; readonly target: string };

/** A mark that is not closed within so many characters is text. It keeps the time linear. */
const REACH = 600;
const MOST_DEPTH = 4;

const MARK = /`+|\*\*|__|\*|_|\[|\\[\\`*_[\]()#+\-.!>~|]/g;
const WORD = /[\p{L}\p{N}]/u;

/** What a mark makes of the text behind it, and where the text goes on. */
interface Found {
  readonly span: Span;
  readonly end: number;
}

function codeAt(text: string, at: number, ticks: string): Found | null {
  const from = at + ticks.length;
  const reach = text.slice(from, from + REACH);
  for (let place = reach.indexOf(ticks); place !== -1; place = reach.indexOf(ticks, place)) {
    let end = place + ticks.length;
    if (reach[end] !== "`") {
      const code = reach.slice(0, place);
      return { span: { kind: "code", text: code.trim() === "" ? code : code.trim() }, end: from + end };
    }
    while (reach[end] === "`") end += 1;
    place = end;
  }
  return null;
}

/** Emphasis begins before a letter and ends behind one; a low line inside of a word is a letter. */
function emphasisAt(text: string, at: number, mark: string, depth: number): Found | null {
  const from = at + mark.length;
  const isLow = mark.startsWith("_");
  if (/^\s?$/.test(text[from] ?? "") || (isLow && WORD.test(text[at - 1] ?? ""))) return null;
  const reach = text.slice(from, from + REACH);
  for (let place = reach.indexOf(mark, 1); place !== -1; place = reach.indexOf(mark, place + 1)) {
    // Of three signs in a row, the first ends what began inside.
    while (mark.length === 2 && reach[place + 2] === mark[0]) place += 1;
    const behind = reach[place + mark.length] ?? "";
    const isDouble = mark.length === 1 && (behind === mark || reach[place - 1] === mark);
    if (isDouble || /\s/.test(reach[place - 1] ?? " ") || (isLow && WORD.test(behind))) continue;
    const inside = readSpans(reach.slice(0, place), depth + 1);
    return { span: { kind: mark.length === 2 ? "strong" : "emphasis", inside }, end: from + place + mark.length };
  }
  return null;
}

function linkAt(text: string, at: number): Found | null {
  const reach = text.slice(at, at + REACH);
  const [whole, label, target] = /^\[([^[\]\n]+)\]\(([^()\s]+)\)/.exec(reach) ?? [];
  if (whole === undefined || label === undefined || target === undefined) return null;
  return { span: { kind: "link", text: label, target }, end: at + whole.length };
}

function foundAt(text: string, at: number, mark: string, depth: number): Found | null {
  if (mark.startsWith("`")) return codeAt(text, at, mark);
  if (mark.startsWith("\\")) return { span: { kind: "text", text: mark.slice(1) }, end: at + 2 };
  if (mark === "[") return linkAt(text, at);
  return depth < MOST_DEPTH ? emphasisAt(text, at, mark, depth) : null;
}

function readSpans(text: string, depth: number): readonly Span[] {
  const spans: Span[] = [];
  let [plain, from] = ["", 0];
  const put = (span: Span): void => {
    if (plain !== "") spans.push({ kind: "text", text: plain });
    plain = "";
    spans.push(span);
  };
  const marks = new RegExp(MARK);
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const found = foundAt(text, mark.index, mark[0], depth);
    if (found === null) continue;
    plain += text.slice(from, mark.index);
    if (found.span.kind === "text") plain += found.span.text;
    else put(found.span);
    from = found.end;
    marks.lastIndex = from;
  }
  plain += text.slice(from);
  if (plain !== "") spans.push({ kind: "text", text: plain });
  return spans;
}

/** Reads code, emphasis and links in a text. Everything else is text as it stands. */
export const readInline = (text: string): readonly Span[] => readSpans(text, 0);
