import type { EndingTable } from "../ending-table.ts";
import { pairBefore, pairTable, tripleBefore, tripleTable } from "../ending-table.ts";
import type { NameJudge } from "./name-judge.ts";
import { createNameMemory, createNameJudge, isNameCode } from "./name-judge.ts";
import { isTooDeep } from "../text/is-too-deep.ts";

/**
 * A fast scan for secrets. The scan may report a secret where none is; the scan never misses a secret that masking
 * would change.
 */
export interface SecretScan {
  text(text: string): boolean;
  /**
   * Takes the JSON text of a value that consists of the values of other texts. Also reports texts whose looks do not tell
   * what their value holds: texts with escapes, with unusual names of members, or with parts that are deeply nested.
   */
  json(json: string, parts: readonly string[]): boolean;
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
  const inJson = (json: string, parts: readonly string[]): boolean =>
    isOpaque(json) || looksSecret(json, judge) || holdsExact(json) || parts.some((part) => isTooDeep(part, MAX_DEPTH));
  return { text: inText, json: inJson, value: (value) => inValue(value, 0) };
}

/** Shorter texts are never masked. */
const SHORTEST = 6;
/** Deeper values are not searched; the scan reports them as secret. */
const MAX_DEPTH = 256;

/** Whether the name that ends at a quote has no other characters than names in texts have, and is not `value`. */
function isPlainName(json: string, end: number): boolean {
  let start = end;
  while (isNameCode(json.charCodeAt(start - 1))) start -= 1;
  return start < end && json.charCodeAt(start - 1) === QUOTE && !json.startsWith(VALUE_NAME, start);
}

const VALUE_NAME = 'value"';

/**
 * Whether only the parsed value tells what a JSON text holds: a text has escapes, the name of a member has other
 * characters than names in texts or stands apart from its colon, or the name `value` takes its meaning from the member
 * beside it.
 */
function isOpaque(json: string): boolean {
  if (json.includes("\\")) return true;
  for (let at = json.indexOf(":"); at !== -1; at = json.indexOf(":", at + 1)) {
    const before = json.charCodeAt(at - 1);
    if (isBlank(before) || before === LF || before === CR) return true;
    if (before === QUOTE && !isPlainName(json, at - 1)) return true;
  }
  return false;
}

/**
 * Scans the text once. Stops at a few characters only, and looks closer when the characters before can end a secret's
 * prefix or name.
 */
function looksSecret(text: string, judge: NameJudge): boolean {
  if (text.startsWith("--") && judge.beginsFlag(text, 2)) return true;
  // Of the bundle, the optimizer knows only local names to be constant (bench mcp, "1000 events").
  const kinds = CHARACTER_KINDS;
  for (let at = 2; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > LAST_CODE || kinds[code] === NOTHING) continue;
    const found = kinds[code] === SEPARATOR ? assigns(text, at, judge) : looksSecretAt(text, at, judge);
    if (found) return true;
  }
  return false;
}

const LAST_CODE = 0x7f;
const NOTHING = 0;
const SEPARATOR = 1;
const STOP = 2;
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

const [TAB, LF, CR, SPACE, QUOTE, HYPHEN, SLASH, COLON] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2d, 0x2f, 0x3a];
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
const NAME_ENDINGS = tripleTable(
  "token secret secrets password passwords passwd passphrase credential credentials authorization cookie key keys tokens auth pwd pass base prod production dev development staging test live default old new backup value raw",
);
/** Letters before a number at the end of a name, as in `TOKEN_B64` and `tokenV2`, that make no word. */
const VARIANT_LETTERS = "bBvV";
const MAX_BLANKS = 8;
const MAX_BACKSLASHES = 15;

const isSeparator = (code: number): boolean => code === COLON || code === EQUALS;
const isBlank = (code: number): boolean => code === SPACE || code === TAB;
/** Joints and numbers at the end of a name only tell one name from another. */
const isJointOrDigit = (code: number): boolean => code === HYPHEN || code === 0x5f || (code >= 0x30 && code <= 0x39);
const isQuote = (code: number): boolean => code === QUOTE || code === 0x27 || code === 0x60;

/** Whether the name before a separator, quoted or not, holds a secret. */
function assigns(text: string, separator: number, judge: NameJudge): boolean {
  let end = separator;
  if (isSeparator(text.charCodeAt(end - 1))) end -= 1;
  for (let count = 0; count < MAX_BLANKS && isBlank(text.charCodeAt(end - 1)); count += 1) end -= 1;
  if (isQuote(text.charCodeAt(end - 1))) end -= 1;
  for (let count = 0; count < MAX_BACKSLASHES && text.charCodeAt(end - 1) === BACKSLASH; count += 1) end -= 1;
  let wordEnd = end;
  while (isJointOrDigit(text.charCodeAt(wordEnd - 1))) wordEnd -= 1;
  if (wordEnd < 3) return false;
  const isVariant = wordEnd < end && VARIANT_LETTERS.includes(text.charAt(wordEnd - 1));
  return (isVariant || NAME_ENDINGS[tripleBefore(text, wordEnd)] === 1) && judge.endsName(text, end);
}
