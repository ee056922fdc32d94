/** One command of a line: the program's name and arguments, as the shell would pass them. */
export interface Segment {
  readonly words: readonly [string, ...string[]];
  /** The operator between the command before and this command; null for the first command. */
  readonly after: "&&" | "||" | ";" | "|" | null;
}

export type ShellLine =
  | { readonly kind: "simple"; readonly segments: readonly Segment[] }
  /**
   * A line with more than plain words. `opaque`: the real words cannot be read in the line, because an expansion, a
   * substitution, an escape or a text for another program makes them.
   */
  | { readonly kind: "complex"; readonly why: string; readonly opaque: boolean };

/** Characters that mean only themselves when they are not quoted, wherever they stand in a word. */
const PLAIN = /[A-Za-z0-9_./:,@%+=^-]/;
const OPERATORS = /&&|\|\||;|\||\n/y;
/** Words of the shell's language that can stand in the place of a command. */
const RESERVED = new Set(
  "if then else elif fi for while until do done case esac in select function time coproc { } ! [[ ]]".split(" "),
);

/** The special meaning of a character, and whether the character can hide words. */
const SPECIAL: Readonly<Record<string, readonly [why: string, opaque: boolean]>> = {
  $: ["an expansion", true],
  "`": ["a substitution", true],
  "\\": ["an escape", true],
  "*": ["a pattern", true],
  "?": ["a pattern", true],
  "[": ["a pattern", true],
  "]": ["a pattern", true],
  "{": ["braces", true],
  "}": ["braces", true],
  "~": ["a home folder", true],
  "!": ["a history reference or a negation", true],
  "<": ["a redirection", true],
  ">": ["a redirection", false],
  "&": ["a command in the background", false],
  "(": ["a subshell", false],
  ")": ["a subshell", false],
  "#": ["a comment", false],
};

class Complex extends Error {
  readonly why: string;
  readonly opaque: boolean;

  constructor([why, opaque]: readonly [string, boolean]) {
    super(why);
    this.why = why;
    this.opaque = opaque;
  }
}

const special = (character: string): Complex =>
  new Complex(SPECIAL[character] ?? ["a character that is not plain", true]);

interface Word {
  readonly text: string;
  readonly end: number;
}

/** Reads a quoted part. Refuses characters that expand inside of double quotes. */
function readQuoted(line: string, start: number): Word {
  const quote = line[start] as string;
  const end = line.indexOf(quote, start + 1);
  if (end < 0) throw new Complex(["a quote that does not end", true]);
  const text = line.slice(start + 1, end);
  const odd = quote === '"' ? /[$`\\!]/.exec(text)?.[0] : undefined;
  if (odd !== undefined) throw special(odd);
  return { text, end: end + 1 };
}

/** A tilde is the home folder where a word begins, and behind `=` and `:`. */
const isInnerTilde = (line: string, at: number, start: number): boolean =>
  line[at] === "~" && at > start && !"=:\"'".includes(line[at - 1] as string);

function readWord(line: string, start: number): Word {
  let text = "";
  let at = start;
  while (at < line.length && !/[ \t\n;|&]/.test(line[at] as string)) {
    const character = line[at] as string;
    if (character === "'" || character === '"') {
      const quoted = readQuoted(line, at);
      text += quoted.text;
      at = quoted.end;
    } else {
      if (!PLAIN.test(character) && !isInnerTilde(line, at, start)) throw special(character);
      text += character;
      at += 1;
    }
  }
  return { text, end: at };
}

function readOperator(line: string, at: number): { readonly operator: string; readonly end: number } {
  OPERATORS.lastIndex = at;
  const operator = OPERATORS.exec(line)?.[0];
  if (operator === undefined || line.startsWith("|&", at) || line.startsWith(";;", at)) throw special(line[at] ?? "&");
  return { operator, end: at + operator.length };
}

/** Refuses a first word that is not the name of a command. */
function checkCommand(words: readonly string[]): void {
  const [first = ""] = words;
  if (first === "") throw new Complex(["an empty command", false]);
  if (first.includes("=")) throw new Complex(["an assignment", false]);
  if (RESERVED.has(first)) throw new Complex(["a word of the shell's language", false]);
}

type Tie = Exclude<Segment["after"], null>;

function readSegments(line: string): Segment[] {
  const segments: Segment[] = [];
  let words: string[] = [];
  let after: Segment["after"] = null;
  const close = (): void => {
    checkCommand(words);
    segments.push({ words: words as [string, ...string[]], after });
    words = [];
  };
  let at = 0;
  while (at < line.length) {
    if (line[at] === " " || line[at] === "\t") {
      at += 1;
    } else if (/[\n;|&]/.test(line[at] as string)) {
      const { operator, end } = readOperator(line, at);
      at = end;
      // Empty lines, and line ends behind an operator, mean nothing.
      if (operator === "\n" && words.length === 0) continue;
      close();
      after = operator === "\n" ? ";" : (operator as Tie);
    } else {
      const word = readWord(line, at);
      words.push(word.text);
      at = word.end;
    }
  }
  if (words.length > 0 || after === null || after !== ";") close();
  return segments;
}

/**
 * Splits a command line into its commands, when it is made of plain and quoted words and of `&&`, `||`, `;`, `|` and
 * line ends alone, so that the words are exactly those the programs get. Everything else is complex.
 */
export function splitCommand(line: string): ShellLine {
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(line)) return { kind: "complex", why: "a control character", opaque: true };
  try {
    return { kind: "simple", segments: readSegments(line) };
  } catch (error) {
    if (!(error instanceof Complex)) throw error;
    return { kind: "complex", why: error.why, opaque: error.opaque || hidesWords(line) };
  }
}

/** Whether a line holds characters that could make words which cannot be read in the line. */
const hidesWords = (line: string): boolean => /[$`\\*?[\]{}~!<]|[^\0-\x7f]/.test(line);
