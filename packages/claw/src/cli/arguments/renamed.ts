import type { FieldSpec, FlagSpelling } from "claw-contract";
import { ClawError, FLAG_RENAMES, RENAMES, shellQuote } from "claw-contract";
import type { Token } from "./tokenise.ts";

type Word = Token & { kind: "positional" };
type Flag = Token & { kind: "flag" };

/** What stands in place of a word of the line; nothing when the word falls away. */
type Edits = ReadonlyMap<number, readonly string[]>;

/** Old spellings of flags, so that the tokeniser knows whether a value follows. */
export const oldFlags = (spellings: readonly FlagSpelling[]): FlagSpelling[] =>
  FLAG_RENAMES.flatMap(({ from, to }): FlagSpelling[] => {
    const field = spellings.find(({ flag }) => flag === to);
    return field === undefined ? [] : [{ flag: from, type: field.type }];
  });

/** The verb that a line with an old verb means, and the places of the old words. */
export function findRenamed(
  words: readonly Word[],
): { from: string; to: string; places: readonly number[] } | undefined {
  const rename = RENAMES.find(({ from }) => from.every((word, index) => words[index]?.value === word));
  if (rename === undefined) return undefined;
  const places = words.slice(0, rename.from.length).map((word) => word.at);
  return { from: rename.from.join(" "), to: rename.to, places };
}

const isNumber = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);

/** One old flag in its new spelling, with a value in the new unit. */
function renameFlag(token: Flag, argv: readonly string[], fields: readonly FieldSpec[]): [number, readonly string[]][] {
  const rename = FLAG_RENAMES.find(({ from }) => from === token.name);
  const has = (name: string): boolean => fields.some(({ flag }) => flag === name);
  if (rename === undefined || has(rename.from) || !has(rename.to)) return [];
  const { to, divideBy = 1 } = rename;
  const { value = "" } = token;
  const converted = divideBy !== 1 && isNumber(value) ? String(Number(value) / divideBy) : value;
  const text = argv[token.at] ?? "";
  if (text.includes("=")) return [[token.at, [`--${to}=${converted}`]]];
  const isAlone = token.value === undefined;
  return [[token.at, [`--${to}`]], ...(isAlone ? [] : [[token.at + 1, [converted]] as [number, readonly string[]]])];
}

/** Everything the line calls by an old flag, in the spelling of the verb with these fields. */
export function renameFlags(argv: readonly string[], tokens: readonly Token[], fields: readonly FieldSpec[]): Edits {
  return new Map(
    tokens.flatMap((token) => (token.kind === "flag" && token.at >= 0 ? renameFlag(token, argv, fields) : [])),
  );
}

/** The error that names the whole corrected line, ready to be run by a shell. */
export function renamed(argv: readonly string[], edits: Edits, { from, to }: { from: string; to: string }): ClawError {
  const words = argv.flatMap((text, index) => edits.get(index) ?? [text]).map((text) => shellQuote(text));
  const command = ["claw", ...words].join(" ");
  return new ClawError("COMMAND_RENAMED", `'${from}' is now '${to}'`, {
    operation: "resolve_command",
    target: from,
    hint: `Run: ${command}`,
    redirect: { command, permanent: true, reason: "renamed" },
  });
}
