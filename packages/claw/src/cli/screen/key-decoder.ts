import { LIMITS } from "claw-contract";

const KEY_NAMES = {
  "\r": "enter",
  "\n": "newline",
  "\t": "tab",
  "\u007F": "backspace",
  "\b": "backspace",
  "\u0001": "home",
  "\u0002": "left",
  "\u0003": "interrupt",
  "\u0004": "delete-or-leave",
  "\u0005": "end",
  "\u0006": "right",
  "\u000B": "kill-to-end",
  "\u000C": "redraw",
  "\u000E": "down",
  "\u0010": "up",
  "\u0015": "kill-to-start",
  "\u0017": "kill-word",
  "\u001A": "suspend",
} as const;

const SEQUENCES = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  "[H": "home",
  "[F": "end",
  "[1~": "home",
  "[4~": "end",
  "[7~": "home",
  "[8~": "end",
  "[3~": "delete",
  "[5~": "page-up",
  "[6~": "page-down",
  "[1;3C": "word-right",
  "[1;5C": "word-right",
  "[1;3D": "word-left",
  "[1;5D": "word-left",
  "[13;2u": "newline",
  "[27;2;13~": "newline",
  OA: "up",
  OB: "down",
  OC: "right",
  OD: "left",
  OH: "home",
  OF: "end",
  b: "word-left",
  f: "word-right",
  "\r": "newline",
  "\n": "newline",
  "\u007F": "kill-word",
} as const;

export type KeyName =
  | (typeof KEY_NAMES)[keyof typeof KEY_NAMES]
  | (typeof SEQUENCES)[keyof typeof SEQUENCES]
  | "escape";

/** What a person did on the keyboard. */
export type Key =
  | { readonly kind: "key"; readonly name: KeyName }
  | { readonly kind: "text"; readonly text: string }
  /** Pasted text. Line ends in it do not submit the line. */
  | { readonly kind: "paste"; readonly text: string };

const ESCAPE = "\u001B";
const PASTE_START = "\u001B[200~";
const PASTE_END = "\u001B[201~";
const KEY_SEQUENCE = /^\u001B(\[[0-?]*[ -/]*[@-~]|O[\s\S]|[^[O\u001B])/;
const BEGUN = /^\u001B(?:\[[0-?]{0,32}[ -/]{0,4}|O)?$/;
const CONTROL = /^[\u0000-\u001F\u007F]/;
const PLAIN = /^[^\u0000-\u001F\u007F]+/;

const namedKey = (table: Readonly<Record<string, KeyName>>, name: string): Key[] =>
  Object.hasOwn(table, name) ? [{ kind: "key", name: table[name] as KeyName }] : [];

/** Decodes terminal input into keys. The input may be split at any byte. Unknown sequences are dropped. */
export class KeyDecoder {
  #waiting = "";
  #pasted: string | null = null;

  feed(input: string): Key[] {
    this.#waiting += input;
    const keys: Key[] = [];
    for (let step = this.#next(); step !== undefined; step = this.#next()) keys.push(...step);
    return keys;
  }

  /** Whether an Esc arrived that may begin a longer sequence. */
  isUndecided(): boolean {
    return this.#pasted === null && this.#waiting !== "";
  }

  /** No more input followed the Esc: decode a plain Esc key. */
  settle(): Key[] {
    if (!this.isUndecided()) return [];
    this.#waiting = "";
    return [{ kind: "key", name: "escape" }];
  }

  /** The keys at the start of the waiting input; undefined when more input is needed. */
  #next(): Key[] | undefined {
    if (this.#waiting === "") return undefined;
    if (this.#pasted !== null) return this.#paste(this.#pasted);
    if (this.#waiting.startsWith(ESCAPE)) return this.#escape();
    if (CONTROL.test(this.#waiting)) return namedKey(KEY_NAMES, this.#take(1));
    const text = this.#take(PLAIN.exec(this.#waiting)?.[0].length ?? 1);
    return [{ kind: "text", text }];
  }

  #take(length: number): string {
    const taken = this.#waiting.slice(0, length);
    this.#waiting = this.#waiting.slice(length);
    return taken;
  }

  #escape(): Key[] | undefined {
    const sequence = KEY_SEQUENCE.exec(this.#waiting)?.[0];
    if (sequence === PASTE_START) {
      this.#take(sequence.length);
      this.#pasted = "";
      return [];
    }
    if (sequence !== undefined) return namedKey(SEQUENCES, this.#take(sequence.length).slice(1));
    if (BEGUN.test(this.#waiting)) return undefined;
    this.#take(1);
    return [{ kind: "key", name: "escape" }];
  }

  #paste(before: string): Key[] | undefined {
    const end = this.#waiting.indexOf(PASTE_END);
    // Only part of the end marker may have arrived.
    const length = end === -1 ? Math.max(0, this.#waiting.length - PASTE_END.length + 1) : end;
    const text = (before + this.#take(length)).slice(0, LIMITS.promptBytes);
    this.#pasted = end === -1 ? text : null;
    if (end === -1) return undefined;
    this.#take(PASTE_END.length);
    return [{ kind: "paste", text }];
  }
}
