import ts from "typescript";
import type { SourceFile } from "../architecture/source-tree.ts";
import { lineOf, walk } from "../architecture/source-tree.ts";
import type { MakeText } from "./growth.ts";
import { growsTooFast, pumped, shortestMs } from "./growth.ts";

export interface Expression {
  readonly where: string;
  readonly pattern: RegExp;
}

/** What it repeats without a limit is what it can go back over. */
const repeats = ({ source }: RegExp): boolean =>
  /[*+]|\{\d+,\}/.test(source.replaceAll(/\\./g, "").replaceAll(/\[[^\]]*\]/g, ""));

function literalOf(text: string): RegExp {
  const end = text.lastIndexOf("/");
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}

/** Every regular expression of a file that repeats something. */
export function expressionsIn(file: SourceFile): Expression[] {
  const found: Expression[] = [];
  walk(file.tree, (node) => {
    if (node.kind !== ts.SyntaxKind.RegularExpressionLiteral) return;
    const pattern = literalOf(node.getText(file.tree));
    if (repeats(pattern)) found.push({ where: `${file.path}:${lineOf(file, node)} ${String(pattern)}`, pattern });
  });
  return found;
}

const BLANKS = [" ", "\t", "\n", "\r", "\0"];
const COMMON = [
  ...BLANKS,
  "a",
  "A",
  "1",
  ".",
  "-",
  "_",
  "/",
  "\\",
  '"',
  "x ",
  " x",
  "\n ",
  "\u001b[m",
  "a@",
  "a.",
  "1.",
  ")\n",
];
const PIECE_CHARS = 12;

const SPELLINGS: Readonly<Record<string, string>> = {
  d: "1",
  w: "a",
  s: " ",
  S: "x",
  n: "\n",
  r: "\r",
  t: "\t",
  "0": "\0",
};

/** The character that an escape stands for, moved away from those that mean something in a pattern. */
const AWAY = 0xe000;
const away = (char: string): string => String.fromCharCode(AWAY + char.charCodeAt(0));
const back = (text: string): string =>
  text.replaceAll(/[\ue000-\uefff]/g, (char) => String.fromCharCode(char.charCodeAt(0) - AWAY));

/** For each alternative a text that looks like what it matches: every part once. */
function samplesOf({ source }: RegExp): string[] {
  return source
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => away(String.fromCharCode(Number.parseInt(code, 16))))
    .replaceAll(/\\p\{\w+\}/g, "a")
    .replaceAll(/\\(.)/g, (_, char: string) => away(SPELLINGS[char] ?? char))
    .replaceAll(/\(\?(?:[:=!]|<[=!])/g, "(")
    .replaceAll(/\[(\^?)([^\]])[^\]]*\]/g, (_, isNot: string, first: string) => (isNot === "" ? first : "x"))
    .replaceAll(/\{\d+(?:,\d*)?\}|[*+?^$()]/g, "")
    .split("|")
    .map(back);
}

/** What could have it go back over much: beginnings of what it matches, its own characters, and common ones. */
function piecesOf(pattern: RegExp): string[] {
  const begun = samplesOf(pattern).flatMap((sample) =>
    Array.from({ length: Math.min(PIECE_CHARS, sample.length) }, (_, index) => sample.slice(0, index + 1)),
  );
  return [...new Set([...begun, ...begun.flatMap((text) => text.at(-1) ?? []), ...COMMON])];
}

const ENDS = ["", "\u0001", "\0", "\n\u0001"];
const LOOK_CHARS = 1000;
const JUDGED = 2;
/** The square of `LOOK_CHARS` takes longer than this anywhere, so nothing of interest is passed over. */
const QUICK_MS = 0.04;

/** The texts that take it longest. */
function slowest(pattern: RegExp, work: (text: string) => unknown): MakeText[] {
  const pieces = piecesOf(pattern);
  const starts = ["", "a", ...pieces.filter((piece) => piece.length > 1).slice(0, 4)];
  return starts
    .flatMap((start) => pieces.flatMap((piece) => ENDS.map((end) => pumped(start, piece, end))))
    .map((make) => ({ make, ms: shortestMs(work, make(LOOK_CHARS), 2) }))
    .filter(({ ms }) => ms > QUICK_MS)
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, JUDGED)
    .map(({ make }) => make);
}

/** What has the expression take more than its share of time, and how much more; undefined when nothing is found. */
export function slowText({ pattern }: Expression): string | undefined {
  // Sticky ones are asked again and again from wherever they have come to.
  const work = (text: string): unknown => {
    pattern.lastIndex = 0;
    return pattern.global ? text.replaceAll(pattern, "") : pattern.test(text);
  };
  for (const make of slowest(pattern, work)) {
    const growth = growsTooFast(work, make);
    if (growth !== undefined) return `${JSON.stringify(make(40))}: ${growth.toFixed(1)}`;
  }
  return undefined;
}
