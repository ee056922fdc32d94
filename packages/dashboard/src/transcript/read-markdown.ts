/** A part of a message, as its Markdown says. */
export type Block =
  | { readonly kind: "paragraph" | "heading" | "quote"; readonly text: string }
  | { readonly kind: "item"; readonly mark: string; readonly depth: number; readonly text: string }
  /** Shown as it stands: a block of code, or a table, whose columns need letters of one width. */
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" };

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}#{1,6}[ \t]/;
const RULE = /^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$|^ {0,3}(?:_[ \t]*){3,}$/;
const QUOTE = /^ {0,3}>[ \t]?/;
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;
const TABLE = /^ {0,3}\|/;
const INDENT_OF_LEVEL = 2;
const MOST_DEPTH = 5;

/** The text of a heading. `#` at its end belongs to the text, as in `C#`, unless a blank stands before. */
function headingOf(line: string): string {
  const text = line.replace(HEADING, "").trim();
  let end = text.length;
  while (text.charAt(end - 1) === "#") end -= 1;
  const before = text.slice(0, end);
  return before === before.trimEnd() && before !== "" ? text : before.trimEnd();
}

/** The lines of a message, read one after another. */
class Blocks {
  readonly all: Block[] = [];
  /** Whether the next line belongs to the block before it, as no empty line lies between. */
  #isOpen = false;
  #fence: { readonly mark: string; readonly lines: string[] } | null = null;

  take(line: string): void {
    if (this.#fence !== null) return this.#takeCode(this.#fence, line);
    const fence = FENCE.exec(line);
    if (fence !== null) return void (this.#fence = { mark: fence[1] ?? "", lines: [] });
    if (line.trim() === "") return void (this.#isOpen = false);
    if (RULE.test(line)) return this.#put({ kind: "rule" }, false);
    if (HEADING.test(line)) return this.#put({ kind: "heading", text: headingOf(line) }, false);
    if (TABLE.test(line)) return this.#join("code", line.trim());
    if (QUOTE.test(line)) return this.#join("quote", line.replace(QUOTE, ""));
    return this.#takeText(line);
  }

  end(): readonly Block[] {
    if (this.#fence !== null) this.#put({ kind: "code", text: this.#fence.lines.join("\n") }, false);
    this.#fence = null;
    return this.all;
  }

  #takeText(line: string): void {
    const item = ITEM.exec(line);
    if (item === null) return this.#join("paragraph", line);
    const [whole, indent = "", mark = ""] = item;
    const width = indent.replaceAll("\t", "    ").length;
    const depth = Math.min(MOST_DEPTH, Math.floor(width / INDENT_OF_LEVEL));
    return this.#put({ kind: "item", mark, depth, text: line.slice(whole.length) }, true);
  }

  #takeCode(fence: { readonly mark: string; readonly lines: string[] }, line: string): void {
    const end = line.trim();
    const isEnd = end.startsWith(fence.mark) && end.replaceAll(fence.mark.charAt(0), "") === "";
    if (isEnd) this.end();
    else fence.lines.push(line);
  }

  #put(block: Block, isOpen: boolean): void {
    this.all.push(block);
    this.#isOpen = isOpen;
  }

  /** Adds a line to the block before it, or begins another one. */
  #join(kind: "paragraph" | "quote" | "code", line: string): void {
    const last = this.#isOpen ? this.all.pop() : undefined;
    this.#isOpen = true;
    if (last?.kind === kind) return void this.all.push({ kind, text: `${last.text}\n${line}` });
    if (last?.kind === "item" && kind === "paragraph") {
      return void this.all.push({ ...last, text: `${last.text}\n${line.trim()}` });
    }
    if (last !== undefined) this.all.push(last);
    return void this.all.push({ kind, text: line });
  }
}

/** Reads the Markdown that agents write: no markup of HTML, no references, no images. Takes linear time. */
export function readMarkdown(text: string): readonly Block[] {
  const blocks = new Blocks();
  for (const line of text.split("\n")) blocks.take(line);
  return blocks.end();
}
