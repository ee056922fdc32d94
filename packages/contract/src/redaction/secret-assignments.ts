import { isSecretName, SECRET_NAME_HINT } from "./secret-name.ts";
import { isReference, MASK } from "./secret-shapes.ts";

const ASSIGNMENT =
  /(?<![\w-])((?:(?:api|access|private|secret|signing) )?[\w-]{1,128})(\\{0,15}["'`]?)(?:[ \t]{0,8}(?:=>|[:=]{1,2})[ \t]{0,8}|(?<=--[\w-]{1,128})[ \t]{1,8})/gi;
const OPENING_QUOTE = /\\{0,15}["'`]/y;
const BARE_VALUE = /[^\s"'`&]+/y;
const REST_OF_LINE = /[^\r\n"'`]+/y;
const CARRIES_SCHEME = /authorization$/i;
const SCHEME = /(?:bearer|basic|digest|negotiate|token|apikey)[ \t]+/iy;
const TRAILING_PUNCTUATION = ",;)]}>";
const BRACKETS = "([{<";
/** Values that code and prose put behind a secret's name. */
const PLAIN_WORDS = new Set(
  "string number boolean object array unknown never void true false null none undefined required optional missing invalid expired redacted hidden empty please should cannot failed authentication buffer return throw await async function".split(
    " ",
  ),
);
const CODE =
  /^(?:process|import|os|env|this|self|config|options|opts|args|params|settings|ctx|context|props|req|request|z|schema)[.?[(]/;
const SECRET_IDENTIFIER = /^[A-Za-z$]{1,80}(?:_[A-Za-z]|[a-z][A-Z])[A-Za-z_]*$/;
/** The next flag behind a flag that is only named, as in a list of flags. */
const NEXT_FLAG = /^--[a-z]{1,20}(?:-[a-z]{1,20}){0,4}$/;
const CALL_OR_TYPE = /^[A-Za-z_$][\w$.]{0,64}[(<[]/;

/** Masks what a text assigns to secret names: `name=value`, `name: value`, `"name":"value"`, `--name value`. */
export function maskAssignments(text: string): string {
  if (!SECRET_NAME_HINT.test(text)) return text;
  const pattern = new RegExp(ASSIGNMENT);
  const parts: string[] = [];
  let done = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [whole, found = "", quote = ""] = match;
    const name = secretNameIn(found, text[match.index - 1]);
    if (name === undefined) continue;
    const isTight = quote === "" && whole.endsWith("=") && whole.length === found.length + 1;
    const span = valueAt(text, pattern.lastIndex, { name, isTight });
    if (span === undefined) continue;
    parts.push(text.slice(done, span.start), MASK);
    done = span.end;
    pattern.lastIndex = span.end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** A name that holds a secret, without the end of a line that is spelled out before it, as in nested JSON. */
function secretNameIn(found: string, before: string | undefined): string | undefined {
  if (!SECRET_NAME_HINT.test(found)) return undefined;
  const spelled = before === "\\" && /^[nrt]/.test(found) ? [found.slice(1)] : [];
  return [found, ...spelled].find(isSecretName);
}

/** Masks the value of a member with a secret name; keeps the scheme of a credential, and what only names a source. */
export function maskMember(name: string, value: string): string {
  if (value === "" || isReference(value)) return value;
  const scheme = schemeEnd(value, 0, name);
  return scheme === value.length ? value : value.slice(0, scheme) + MASK;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Assigned {
  readonly name: string;
  /** Nothing but `=` stands between name and value: no prose is written like that. */
  readonly isTight: boolean;
}

function valueAt(text: string, from: number, assigned: Assigned): Span | undefined {
  const quoteEnd = matchAt(OPENING_QUOTE, text, from);
  const isQuoted = quoteEnd > from;
  const start = schemeEnd(text, quoteEnd, assigned.name);
  const end = isQuoted ? closingQuote(text, start, text.slice(from, quoteEnd)) : bareEnd(text, start, assigned.name);
  if (end <= start) return undefined;
  const value = text.slice(start, end);
  if (value === MASK || isReference(value)) return undefined;
  return !isQuoted && isHarmless(value, assigned, start > quoteEnd) ? undefined : { start, end };
}

/**
 * Where a quoted value ends: at the quote that closes it, or else at the end of its line. In JSON nested in strings
 * each level doubles the backslashes before a quote, so their number tells a closing quote from one inside the value.
 */
function closingQuote(text: string, start: number, quote: string): number {
  const depth = quote.length - 1;
  let end = text.indexOf(quote.slice(-1), start);
  while (end !== -1 && backslashesBefore(text, start, end) % (2 * (depth + 1)) !== depth) {
    end = text.indexOf(quote.slice(-1), end + 1);
  }
  const value = text.slice(start, end === -1 ? undefined : Math.max(start, end - depth));
  const lineEnd = value.indexOf("\n");
  return start + (lineEnd === -1 ? value.length : lineEnd);
}

function backslashesBefore(text: string, start: number, end: number): number {
  let first = end;
  while (first > start && text[first - 1] === "\\") first -= 1;
  return end - first;
}

function schemeEnd(text: string, from: number, name: string): number {
  return CARRIES_SCHEME.test(name) ? matchAt(SCHEME, text, from) : from;
}

function bareEnd(text: string, start: number, name: string): number {
  if (/cookie$/i.test(name)) return matchAt(REST_OF_LINE, text, start);
  // A password that was masked inside a URL: the host behind it stays.
  if (text.startsWith(`${MASK}@`, start)) return start;
  if (BRACKETS.includes(text[start] ?? "(") && !text.startsWith(MASK, start)) return start;
  let end = matchAt(BARE_VALUE, text, start);
  const least = text.startsWith(MASK, start) ? start + MASK.length : start;
  while (end > least && TRAILING_PUNCTUATION.includes(text[end - 1] ?? "")) end -= 1;
  return end;
}

/** Whether a bare value is a word of code or prose rather than a secret. */
function isHarmless(value: string, { name, isTight }: Assigned, hasScheme: boolean): boolean {
  if (value.length > 80 || hasScheme) return false;
  const plain = value.toLowerCase();
  if (CODE.test(value) || squeezed(plain) === squeezed(name.toLowerCase())) return true;
  if (isTight) return /^(?:true|false|null|none|undefined|string)$/.test(plain);
  if (PLAIN_WORDS.has(plain.replace(/[.!?]$/, "")) || CALL_OR_TYPE.test(value) || NEXT_FLAG.test(value)) return true;
  if (SECRET_IDENTIFIER.test(value) && isSecretName(value)) return true;
  return /^(?:[a-z]{1,5}|\d{1,5})[.!?]?$|^\W+$/.test(plain);
}

function squeezed(name: string): string {
  return name.replaceAll(/[\s_-]/g, "");
}

function matchAt(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
