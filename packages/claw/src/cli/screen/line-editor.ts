import { LIMITS, replaceControls } from "claw-contract";
import type { LineCompletion, TypedLineRequest, Span } from "../../verbs/index.ts";
import type { EditedLine } from "./edit-line.ts";
import { EDITS, EMPTY_LINE, insert, LineHistory, replaceBefore, verticalMove } from "./edit-line.ts";
import type { Key, KeyName } from "./key-decoder.ts";

/** How typing ended: with a line, or with the wish to leave. */
export type EditorResult = { readonly line: string } | { readonly left: true };

const LEAVE_HINT: readonly Span[] = [{ text: "Press Ctrl-C once more to leave.", styles: ["dim"] }];

/** Line ends as they are here, and nothing that a keyboard could not have typed. */
const cleanPaste = (text: string): string => replaceControls(text.replaceAll(/\r\n?/g, "\n"), () => "");

function commonPrefix(words: readonly string[]): string {
  const [first = "", ...others] = words;
  let length = first.length;
  for (const word of others) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** A line while it is typed: keys in, a line out. What is to be seen of it is for the caller to draw. */
export class LineEditor {
  readonly #request: TypedLineRequest;
  readonly #history: LineHistory;
  #line = EMPTY_LINE;
  #completion: (LineCompletion & { next: number }) | null = null;
  #mayLeave = false;

  constructor(request: TypedLineRequest) {
    this.#request = request;
    this.#history = new LineHistory(request.history);
  }

  line(): EditedLine {
    return this.#line;
  }

  prompt(): Span {
    return this.#request.prompt;
  }

  /** What stands below the line, a row each. */
  hints(): readonly (readonly Span[])[] {
    if (this.#mayLeave) return [LEAVE_HINT];
    const { candidates = [], next = 0 } = this.#completion ?? {};
    const shown = candidates
      .slice(0, LIMITS.completionsShown)
      .map((text, index): Span[] => [{ text: `  ${text}`, styles: index === next - 1 ? ["cyan"] : ["dim"] }]);
    const more = candidates.length - shown.length;
    return more > 0 ? [...shown, [{ text: `  … ${more} more`, styles: ["dim"] }]] : shown;
  }

  /** Takes one key. Resolves with how typing ended, undefined while it goes on. */
  async take(key: Key): Promise<EditorResult | undefined> {
    const mayLeave = this.#mayLeave;
    this.#mayLeave = false;
    if (key.kind === "key" && key.name === "tab") return this.#complete();
    this.#completion = null;
    if (key.kind !== "key") this.#insert(key.kind === "paste" ? cleanPaste(key.text) : key.text);
    else if (key.name === "enter") return this.#enter();
    else if (key.name === "interrupt") return this.#interrupt(mayLeave);
    else if (key.name === "delete-or-leave" && this.#line.text === "") return { left: true };
    else this.#edit(key.name);
    return undefined;
  }

  /** A line takes no more than a prompt may hold. */
  #insert(text: string): void {
    const room = Math.max(0, LIMITS.promptBytes - this.#line.text.length);
    this.#line = insert(this.#line, text.slice(0, room));
  }

  #edit(name: KeyName): void {
    if (name === "up" || name === "down") {
      this.#line = verticalMove(this.#line, name) ?? this.#history.go(name, this.#line) ?? this.#line;
      return;
    }
    const edit = name === "delete-or-leave" ? "delete" : name;
    if (Object.hasOwn(EDITS, edit)) this.#line = EDITS[edit as keyof typeof EDITS](this.#line);
  }

  /** A backslash at the end of a line means that another one follows. */
  #enter(): EditorResult | undefined {
    const { text, cursor } = this.#line;
    if (cursor !== text.length || !text.endsWith("\\")) return { line: text };
    this.#line = replaceBefore(this.#line, cursor - 1, "\n");
    return undefined;
  }

  #interrupt(mayLeave: boolean): EditorResult | undefined {
    const isEmpty = this.#line.text === "";
    this.#line = EMPTY_LINE;
    if (isEmpty && mayLeave) return { left: true };
    this.#mayLeave = isEmpty;
    return undefined;
  }

  async #complete(): Promise<undefined> {
    if (this.#completion !== null) return this.#cycle(this.#completion);
    const { text, cursor } = this.#line;
    const found = await this.#request.complete(text, cursor);
    const [first, ...others] = found.candidates;
    if (first === undefined) return undefined;
    if (others.length === 0) {
      this.#line = replaceBefore(this.#line, found.start, first.endsWith("/") ? first : `${first} `);
      return undefined;
    }
    const shared = commonPrefix(found.candidates);
    if (shared.length > cursor - found.start) this.#line = replaceBefore(this.#line, found.start, shared);
    this.#completion = { ...found, next: 0 };
    return undefined;
  }

  /** Each further Tab puts the next candidate in. */
  #cycle(completion: LineCompletion & { next: number }): undefined {
    const { start, candidates } = completion;
    const at = completion.next % Math.min(candidates.length, LIMITS.completionsShown);
    this.#line = replaceBefore(this.#line, start, candidates[at] ?? "");
    completion.next = at + 1;
    return undefined;
  }
}
