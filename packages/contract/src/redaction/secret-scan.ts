import type { EndingTable } from "../ending-table.ts";
import { nameTable, pairBefore, pairTable, tripleBefore } from "../ending-table.ts";
import type { NameJudge } from "./name-judge.ts";
import { createNameMemory, createNameJudge } from "./name-judge.ts";

/**
 * A fast scan for secrets. The scan may report a secret where none is; the scan never misses a secret that masking
 * would change.
 */
export interface SecretScan {
  text(text: string): boolean;
  /** Takes JSON values. */
  value(value: unknown): boolean;
}

const TIME_CHARS = 24;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A time alone holds no secret. Long lists are half of times (bench cluster, "claw ps"). */
const isTimeText = (text: string): boolean => text.length === TIME_CHARS && TIME.test(text);

/** Makes a scan that also searches for exact values with `holdsExact`. */
export function createSecretScan(holdsExact: (text: string) => boolean): SecretScan {
  const judge = createNameJudge();
  const inText = (text: string): boolean =>
    text.length >= SHORTEST && ((!isTimeText(text) && looksSecret(text, judge)) || holdsExact(text));
  const suspects = createNameMemory((name) => judge.isSecret(name) || inText(name));
  const inValue = (value: unknown, depth: number): boolean => {
    if (typeof value === "string") return inText(value);
    if (typeof value !== "object" || value === null) return false;
    if (depth >= MAX_DEPTH) return true;
    if (Array.isArray(value)) return value.some((item) => inValue(item, depth + 1));
    const members = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (suspects(name) || inValue(member, depth + 1)) return true;
      if (name === "name" && typeof member === "string" && judge.isSecret(member)) return true;
    }
    return false;
  };
  return { text: inText, value: (value) => inValue(value, 0) };
}

/** Shorter texts are never masked. */
const SHORTEST = 6;
/** Deeper values are not searched; the scan reports them as secret. */
const MAX_DEPTH = 256;

/**
 * Scans the text once. Stops at a few characters only, and looks closer when the characters before can end a secret's
 * prefix or name.
 */
function looksSecret(text: string, judge: NameJudge): boolean {
  if (text.startsWith("--") && judge.beginsFlag(text, 2)) return true;
  for (let at = 2; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > LAST_CODE || CHARACTER_KINDS[code] === NOTHING) continue;
    const found = CHARACTER_KINDS[code] === SEPARATOR ? assigns(text, at, judge) : looksSecretAt(text, at, judge);
    if (found) return true;
  }
  return false;
}

const LAST_CODE = 0x7f;
const [NOTHING, SEPARATOR, STOP] = [0, 1, 2];
const CHARACTER_KINDS = new Uint8Array(LAST_CODE + 1);
for (const character of ":=") CHARACTER_KINDS[character.charCodeAt(0)] = SEPARATOR;

/** For each stop character, the endings before it that need a closer look. */
const BEFORE: (EndingTable | undefined)[] = Array.from({ length: LAST_CODE + 1 }, () => undefined);
function stop(characters: string, endings: string): void {
  for (const character of characters) {
    CHARACTER_KINDS[character.charCodeAt(0)] = STOP;
    BEFORE[character.charCodeAt(0)] = pairTable(endings);
  }
}
stop(" \t", "bearer basic");
stop("-", "sk glpat xoxa xoxb xoxe xoxp xoxr xoxs KEY BLOCK");
stop("_", "sk rk gho ghp ghr ghs ghu github_pat npm hf");
stop(".", "ya29 SG claw1 resume1");
stop("A", "AKI ASI");
stop("z", "AI");
stop("J", "ey");
stop("/", ":/");

const [TAB, SPACE, HYPHEN, SLASH, COLON] = [0x09, 0x20, 0x2d, 0x2f, 0x3a];
const [EQUALS, CAPITAL_J, BACKSLASH] = [0x3d, 0x4a, 0x5c];
const KEY_PREFIX =
  /(?:^|[^A-Za-z0-9]|\\[nrt])(?:sk|rk|glpat|xox[abeprs]|gh[oprsu]|github_pat|npm|hf|ya29|SG|claw1|resume1|A[KS]I|AI)$/;
const PREFIX_CHARS = 17;
const SCHEME = /(?:bearer|basic)$/i;
const KEY_HEADER = /PRIVATE KEY(?: BLOCK)?$/;
const USERINFO = /:\/\/[^\s/?#:@"'<>]{0,256}:[^\s/?#@"'<>]{1,512}@/y;

function looksSecretAt(text: string, at: number, judge: NameJudge): boolean {
  const code = text.charCodeAt(at);
  if (code === HYPHEN && text.charCodeAt(at - 1) === HYPHEN) return judge.beginsFlag(text, at + 1);
  if (BEFORE[code]?.[pairBefore(text, at)] !== 1) return false;
  switch (code) {
    case SPACE:
    case TAB:
      return SCHEME.test(text.slice(Math.max(0, at - 6), at));
    case SLASH:
      USERINFO.lastIndex = at - 2;
      return USERINFO.test(text);
    case CAPITAL_J:
      return true;
    default:
      if (code === HYPHEN && KEY_HEADER.test(text.slice(Math.max(0, at - PREFIX_CHARS), at))) return true;
      return KEY_PREFIX.test(text.slice(Math.max(0, at - PREFIX_CHARS), at));
  }
}

/** Last words of secret names: the secret word itself, or a word that only distinguishes two names. */
const NAME_ENDINGS = nameTable(
  "token secret secrets password passwords passwd passphrase credential credentials authorization cookie key keys tokens auth pwd pass base prod production dev development staging test live default old new backup value raw",
);
const MAX_BLANKS = 8;
const MAX_BACKSLASHES = 15;

const isSeparator = (code: number): boolean => code === COLON || code === EQUALS;
const isBlank = (code: number): boolean => code === SPACE || code === TAB;
const isJoint = (code: number): boolean => code === HYPHEN || code === 0x5f;
const isQuote = (code: number): boolean => code === 0x22 || code === 0x27 || code === 0x60;

/** Whether the name before a separator, quoted or not, holds a secret. */
function assigns(text: string, separator: number, judge: NameJudge): boolean {
  let end = separator;
  if (isSeparator(text.charCodeAt(end - 1))) end -= 1;
  for (let count = 0; count < MAX_BLANKS && isBlank(text.charCodeAt(end - 1)); count += 1) end -= 1;
  if (isQuote(text.charCodeAt(end - 1))) end -= 1;
  for (let count = 0; count < MAX_BACKSLASHES && text.charCodeAt(end - 1) === BACKSLASH; count += 1) end -= 1;
  let wordEnd = end;
  while (isJoint(text.charCodeAt(wordEnd - 1))) wordEnd -= 1;
  return wordEnd >= 3 && NAME_ENDINGS[tripleBefore(text, wordEnd)] === 1 && judge.endsName(text, end);
}
