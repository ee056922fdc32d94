import { isSecretName } from "./secret-name.ts";

/** Longest name that is looked at. */
const NAME_CHARS = 128;
/** Names that were judged before: the same few stand in every event of a stream. */
const KNOWN_NAMES = 4096;
const PREFIX_WORD = /(?:api|access|private|secret|signing) $/i;
/** A line's end that is spelled out, as in nested JSON, is no part of the name behind it. */
const SPELLED_END = /^[nrt]/;
const FLAG = /[\w-]{1,128}(?=[ \t])/y;

const HYPHEN = 0x2d;

export function isNameCode(code: number): boolean {
  const small = code | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === HYPHEN;
}

/** Tells names that hold secrets. Says yes rather than no. */
export interface NameJudge {
  isSecret(name: string): boolean;
  /** Whether the name that ends before a place of a text holds a secret. */
  endsName(text: string, end: number): boolean;
  /** Whether a flag whose name begins at a place takes a secret as its next word. */
  beginsFlag(text: string, start: number): boolean;
}

/** Remembers what a judgement said of a name, of a limited number of them. */
export function createNameMemory(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= KNOWN_NAMES) known.clear();
    const judged = judge(name);
    known.set(name, judged);
    return judged;
  };
}

/** Makes a judge. It remembers names, a limited number of them. */
export function createNameJudge(): NameJudge {
  const isSecret = createNameMemory((name) => isSecretName(name) || isSecretName(name.replace(SPELLED_END, "")));
  const endsName = (text: string, end: number): boolean => {
    const start = startOfName(text, end);
    if (isSecret(text.slice(start, end))) return true;
    if (text.charCodeAt(start - 1) !== 0x20) return false;
    const prefix = PREFIX_WORD.exec(text.slice(Math.max(0, start - 10), start))?.[0];
    return prefix !== undefined && isSecret(prefix + text.slice(start, end));
  };
  const beginsFlag = (text: string, start: number): boolean => {
    const first = text.charCodeAt(start);
    if (first === HYPHEN || !isNameCode(first)) return false;
    FLAG.lastIndex = start;
    const name = FLAG.exec(text)?.[0];
    return name !== undefined && isSecret(name);
  };
  return { isSecret, endsName, beginsFlag };
}

function startOfName(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < NAME_CHARS && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  return start;
}
