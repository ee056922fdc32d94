import { StringDecoder } from "node:string_decoder";

/** An input of the person at a terminal. */
export type PlayedKey =
  | { readonly kind: "text"; readonly text: string; readonly pasted: boolean }
  | { readonly kind: "enter" }
  | { readonly kind: "back" }
  /** Escape, or Ctrl-C. */
  | { readonly kind: "interrupt"; readonly hard: boolean }
  /** Ctrl-D. */
  | { readonly kind: "end" };

const PASTE_BEGINS = "\u001b[200~";
const PASTE_ENDS = "\u001b[201~";
const SEQUENCE = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O.)/;

const KEYS: Readonly<Record<string, PlayedKey>> = {
  "\r": { kind: "enter" },
  "\u007f": { kind: "back" },
  "\b": { kind: "back" },
  "\u0003": { kind: "interrupt", hard: true },
  "\u0004": { kind: "end" },
};

/** Reads bytes of a terminal in raw mode. A paste is one text, whenever its pieces come. */
export function createKeyReader(): (bytes: Uint8Array) => readonly PlayedKey[] {
  const decoder = new StringDecoder("utf8");
  let pasted: string | null = null;
  let rest = "";
  const readPaste = (): PlayedKey | null => {
    const end = rest.indexOf(PASTE_ENDS);
    if (end === -1) return null;
    const text = (pasted ?? "") + rest.slice(0, end);
    rest = rest.slice(end + PASTE_ENDS.length);
    pasted = null;
    return { kind: "text", text: text.replaceAll("\r", "\n"), pasted: true };
  };
  const readEscape = (): PlayedKey | null => {
    const sequence = SEQUENCE.exec(rest)?.[0];
    rest = rest.slice(sequence?.length ?? 1);
    if (sequence === PASTE_BEGINS) pasted = "";
    return sequence === undefined ? { kind: "interrupt", hard: false } : null;
  };
  const readPlain = (): PlayedKey => {
    const [first = ""] = rest;
    const key = KEYS[first];
    const text = key === undefined ? (/^[^\u0000-\u0008\u000b-\u001f\u007f]+/.exec(rest)?.[0] ?? first) : first;
    rest = rest.slice(text.length);
    return key ?? { kind: "text", text, pasted: false };
  };
  const isOver = (): boolean => rest === "" || (pasted !== null && !rest.includes(PASTE_ENDS));
  return (bytes) => {
    const keys: PlayedKey[] = [];
    rest += decoder.write(Buffer.from(bytes));
    while (!isOver()) {
      const key = pasted !== null ? readPaste() : rest.startsWith("\u001b") ? readEscape() : readPlain();
      if (key !== null) keys.push(key);
    }
    return keys;
  };
}
