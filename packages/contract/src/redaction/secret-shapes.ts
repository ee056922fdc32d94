/** What stands where a secret stood. */
export const MASK = "[REDACTED]";

/** Longest run taken for one key. A pattern without a bound exhausts the stack on a run of many megabytes. */
export const MAX_KEY_CHARS = 16_384;

/** Where a key can begin: not inside a word, but behind a line's end that is spelled out, as in nested JSON. */
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))`;
const KEYS = [
  String.raw`sk-(?:ant|proj)-[\w-]{8,${MAX_KEY_CHARS}}`,
  String.raw`sk-[\w-]{20,${MAX_KEY_CHARS}}`,
  String.raw`[rs]k_(?:live|test)_[A-Za-z0-9]{16,${MAX_KEY_CHARS}}`,
  String.raw`gh[oprsu]_[A-Za-z0-9]{20,${MAX_KEY_CHARS}}`,
  String.raw`github_pat_\w{20,${MAX_KEY_CHARS}}`,
  String.raw`glpat-[\w-]{20,${MAX_KEY_CHARS}}`,
  String.raw`npm_[A-Za-z0-9]{30,${MAX_KEY_CHARS}}`,
  String.raw`hf_[A-Za-z0-9]{30,${MAX_KEY_CHARS}}`,
  String.raw`xox[abeprs]-[A-Za-z0-9-]{10,${MAX_KEY_CHARS}}`,
  String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`AIza[\w-]{30,${MAX_KEY_CHARS}}`,
  String.raw`(?:claw|resume)1\.[\w-]{16,${MAX_KEY_CHARS}}\.[\w-]{16,${MAX_KEY_CHARS}}`,
  String.raw`ya29\.[\w-]{20,${MAX_KEY_CHARS}}`,
  String.raw`SG\.[\w-]{16,64}\.[\w-]{16,${MAX_KEY_CHARS}}`,
];
const SHAPES = new RegExp(String.raw`(?=[a-zA-Z])${START}(?:${KEYS.join("|")})`, "g");
/** Starts only where no token character precedes it: a long run is then looked at once, not once per `eyJ` in it. */
const JWT = new RegExp(
  String.raw`(?:(?<![\w-])|(?<=\\[nrt]))eyJ[\w-]{8,${MAX_KEY_CHARS}}\.[\w-]{4,${MAX_KEY_CHARS}}\.[\w-]{8,${MAX_KEY_CHARS}}`,
  "g",
);
const BEARER = new RegExp(String.raw`(?:\b|(?<=\\[nrt]))(bearer[ \t]{1,8})([\w.~+/=-]{16,${MAX_KEY_CHARS}})`, "gi");
const BASIC = new RegExp(
  String.raw`(?:\b|(?<=\\[nrt]))(basic[ \t]{1,8})([A-Za-z0-9+/]{8,${MAX_KEY_CHARS}}={0,2})`,
  "gi",
);
const USERINFO = /(:\/\/[^\s/?#:@"'<>]{0,256}:)([^\s/?#@"'<>]{1,512})(?=@)/g;
const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_END = "-----END ";
const PEM_END_LINE = /[A-Z0-9 ]{0,60}-----/y;
const PEM_BODY = /[A-Za-z0-9+/=\s\\]*/y;
const REFERENCE = /^(?:\$\w+|\$\{[^{}]*\}|\$\([^()]*\)|%\w+%|\{\{[^{}]*\}\})$/;

/** Whether a value only names where a secret comes from, as `${API_KEY}` does. */
export function isReference(value: string): boolean {
  return value.length <= 256 && REFERENCE.test(value);
}

/** Masks what shows by itself within a line: keys of known shape, tokens, passwords in URLs. Linear in time. */
export function maskShapes(text: string): string {
  return text
    .replace(SHAPES, (key) => (isProse(key) ? key : MASK))
    .replace(JWT, MASK)
    .replace(USERINFO, (match, before: string, password: string) => (isReference(password) ? match : before + MASK))
    .replace(BEARER, (match, scheme: string, token: string) => (/^[a-z-]+$/.test(token) ? match : scheme + MASK))
    .replace(BASIC, (match, scheme: string, pair: string) => (isUserAndPassword(pair) ? scheme + MASK : match));
}

/** `sk-` also begins style-sheet classes; a key has a digit or one long run of letters. */
function isProse(key: string): boolean {
  return /^sk-(?!ant-|proj-)/.test(key) && !/\d|[A-Za-z]{16}/.test(key);
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Whether base64 spells `user:password`, as the basic scheme has it; words behind "basic" do not. */
function isUserAndPassword(base64: string): boolean {
  if (base64.length % 4 !== 0) return false;
  let decoded = "";
  for (let at = 0; at < base64.length; at += 4) {
    const six = (offset: number): number => Math.max(0, BASE64.indexOf(base64.charAt(at + offset)));
    const bytes = (six(0) << 18) | (six(1) << 12) | (six(2) << 6) | six(3);
    decoded += String.fromCharCode(bytes >> 16, (bytes >> 8) & 255, bytes & 255);
  }
  return /^[\x20-\x39\x3B-\x7E\x80-\xFF]*:[\x20-\x7E\x80-\xFF]+\0{0,2}$/.test(decoded);
}

/** Masks private keys, which go over several lines. */
export function maskPrivateKeys(text: string): string {
  if (!text.includes("PRIVATE KEY")) return text;
  const parts: string[] = [];
  let done = 0;
  let nextEnd = 0;
  for (const match of text.matchAll(PEM_BEGIN)) {
    const start = match.index;
    if (start < done) continue;
    const bodyStart = start + match[0].length;
    // Searched anew only when passed, so that many beginnings without an end do not each scan the rest.
    if (nextEnd !== -1 && nextEnd < bodyStart) nextEnd = text.indexOf(PEM_END, bodyStart);
    parts.push(text.slice(done, start), MASK);
    done =
      nextEnd === -1 ? matchEnd(PEM_BODY, text, bodyStart) : matchEnd(PEM_END_LINE, text, nextEnd + PEM_END.length);
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
