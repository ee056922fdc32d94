import { basename } from "node:path";
import type { RuleContent, RuleList } from "../rules.ts";
import type { Segment } from "./split-command.ts";
import { splitCommand } from "./split-command.ts";

/** Programs that run what their own words say, so that a rule's words count anywhere behind them. */
const RUNNERS = new Set(
  "env sudo doas command builtin exec nohup nice ionice time timeout xargs busybox sh bash dash zsh ksh fish eval source . find fd setsid stdbuf chroot unshare nsenter watch parallel ssh script strace flock npx node deno bun python python3 perl ruby php awk gawk sed make git docker podman su runuser trap hash alias".split(
    " ",
  ),
);

function wordsOf(text: string): readonly string[] {
  const line = splitCommand(text);
  return line.kind === "simple" ? (line.segments[0]?.words ?? []) : [];
}

const begins = (words: readonly string[], rule: readonly string[]): boolean =>
  rule.length > 0 && rule.every((word, index) => words[index] === word);

/** Everything that is no part of a plain word; and blanks and operators alone, so that `a=b` stays one value of a flag. */
const WORD_BREAKS = [/[^\w./:@%+,~^-]+/u, /[\s;|&<>()`$"'{}\\]+/u];

/** Whether the words of a rule follow each other from a place on, with nothing but flags and their values between. */
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

/** Whether the words of a rule stand in a text as a command's would, however they are quoted and embedded. */
function mentions(text: string, rule: readonly string[]): boolean {
  const spellings = [text, text.replaceAll(/["'\\]/g, "")];
  const readings = spellings.flatMap((spelling) => WORD_BREAKS.map((breaks) => spelling.split(breaks)));
  return readings.some((tokens) => tokens.some((_, start) => followsAt(tokens, start, rule)));
}

/** Whether one command of a line is what an allowing rule says, word by word. */
export function segmentFits(content: RuleContent, { words }: Segment): boolean {
  const rule = wordsOf(content.text);
  return begins(words, rule) && (content.kind === "prefix" || words.length === rule.length);
}

function segmentRestricted(content: RuleContent, { words }: Segment): boolean {
  const rule = wordsOf(content.text);
  const named = [basename(words[0]), ...words.slice(1)];
  const isMeant = [words, named].some(
    (spelling) =>
      (begins(spelling, rule) && (content.kind === "prefix" || spelling.length === rule.length)) ||
      (content.kind === "prefix" && spelling.join(" ").startsWith(content.text)),
  );
  return isMeant || (RUNNERS.has(named[0] ?? "") && mentions(words.join(" "), rule));
}

/**
 * Whether a rule's content means a command line. An allowing rule is about one command; see `segmentFits` for lines of
 * several. A restricting one means any line with one such command, and any complex line that mentions its words.
 */
export function commandMatches(content: RuleContent, list: RuleList, command: string): boolean {
  const line = splitCommand(command);
  if (list === "allow") {
    return line.kind === "simple" && line.segments.every((segment) => segmentFits(content, segment));
  }
  if (line.kind === "complex") return mentions(command, wordsOf(content.text));
  if (line.segments.some((segment) => segmentRestricted(content, segment))) return true;
  // What one command of a line says may be what another runs.
  return (
    line.segments.some(({ words: [name] }) => RUNNERS.has(basename(name))) && mentions(command, wordsOf(content.text))
  );
}
