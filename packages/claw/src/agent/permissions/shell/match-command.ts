import { basename } from "node:path";
import type { RuleContent, RuleList } from "../rules.ts";
import type { Segment } from "./split-command.ts";
import { splitCommand } from "./split-command.ts";

/** Programs that run commands given in their arguments. A rule's words count anywhere behind such a program. */
const RUNNERS = new Set(
  "env sudo doas command builtin exec nohup nice ionice time timeout xargs busybox sh bash dash zsh ksh fish eval source . find fd setsid stdbuf chroot unshare nsenter watch parallel ssh script strace flock npx node deno bun python python3 perl ruby php awk gawk sed make git docker podman su runuser trap hash alias".split(
    " ",
  ),
);

function firstWords(text: string): readonly string[] {
  const line = splitCommand(text);
  return line.kind === "simple" ? (line.segments[0]?.words ?? []) : [];
}

const begins = (words: readonly string[], rule: readonly string[]): boolean =>
  rule.length > 0 && rule.every((word, index) => words[index] === word);

/**
 * Two ways to split a text into words: at every character that is no part of a plain word; or only at blanks, quotes
 * and operators, so that `a=b` stays one word, the value of a flag.
 */
const WORD_BREAKS = [/[^\w./:@%+,~^-]+/u, /[\s;|&<>()`$"'{}\\]+/u];

/** Whether the words of a rule follow each other from `start` on, with only flags and values of flags between them. */
function followsAt(tokens: readonly string[], start: number, rule: readonly string[]): boolean {
  const [first, ...others] = rule;
  const begin = tokens[start] ?? "";
  if (begin !== first && basename(begin) !== first) return false;
  let at = start + 1;
  for (const word of others) {
    while (at < tokens.length && tokens[at] !== word) {
      const isFlag = tokens[at]?.startsWith("-") === true || tokens[at - 1]?.startsWith("-") === true;
      if (!isFlag) return false;
      at += 1;
    }
    if (at >= tokens.length) return false;
    at += 1;
  }
  return true;
}

/** Whether a text holds the words of a rule in the way a command would, however the words are quoted or embedded. */
function mentions(text: string, rule: readonly string[]): boolean {
  const spellings = [text, text.replaceAll(/["'\\]/g, "")];
  const readings = spellings.flatMap((spelling) => WORD_BREAKS.map((breaks) => spelling.split(breaks)));
  return readings.some((tokens) => tokens.some((_, start) => followsAt(tokens, start, rule)));
}

/** Whether one command of a line fits an allowing rule, word by word. */
export function segmentFits(content: RuleContent, { words }: Segment): boolean {
  const rule = firstWords(content.text);
  return begins(words, rule) && (content.kind === "prefix" || words.length === rule.length);
}

function segmentRestricted(content: RuleContent, { words }: Segment): boolean {
  const rule = firstWords(content.text);
  const named = [basename(words[0]), ...words.slice(1)];
  const isMeant = [words, named].some(
    (spelling) =>
      (begins(spelling, rule) && (content.kind === "prefix" || spelling.length === rule.length)) ||
      (content.kind === "prefix" && spelling.join(" ").startsWith(content.text)),
  );
  return isMeant || (RUNNERS.has(named[0] ?? "") && mentions(words.join(" "), rule));
}

/**
 * Whether a rule's content fits a command line. An allowing rule has to fit every command; for a line whose commands
 * fit different rules see `segmentFits`. A restricting rule fits a line with one fitting command. It also fits a line
 * that holds the rule's words, when the line is complex or runs one of `RUNNERS`.
 */
export function commandMatches(content: RuleContent, list: RuleList, command: string): boolean {
  const line = splitCommand(command);
  if (list === "allow") {
    return line.kind === "simple" && line.segments.every((segment) => segmentFits(content, segment));
  }
  if (line.kind === "complex") return mentions(command, firstWords(content.text));
  if (line.segments.some((segment) => segmentRestricted(content, segment))) return true;
  // One command of the line may print words that another command then runs.
  return (
    line.segments.some(({ words: [name] }) => RUNNERS.has(basename(name))) &&
    mentions(command, firstWords(content.text))
  );
}
