import type { FlagSpelling } from "claw-contract";

export type Token =
  /** `at` is the place in the command line. */
  | { readonly kind: "positional"; readonly value: string; readonly at: number }
  | {
      readonly kind: "flag";
      readonly name: string;
      readonly raw: string;
      readonly value: string | undefined;
      readonly at: number;
    }
  | { readonly kind: "unknown"; readonly raw: string };

/** How flags are spelled. A spelling means the same kind of value wherever it is used. */
export interface FlagNames {
  readonly long: ReadonlyMap<string, FlagSpelling>;
  readonly short: ReadonlyMap<string, FlagSpelling>;
}

export function indexFlags(fields: Iterable<FlagSpelling>): FlagNames {
  const long = new Map<string, FlagSpelling>();
  const short = new Map<string, FlagSpelling>();
  for (const field of fields) {
    if (field.flag === undefined) continue;
    for (const name of [field.flag, ...(field.aliases ?? [])]) long.set(name, field);
    if (field.short !== undefined) short.set(field.short, field);
  }
  return { long, short };
}

/** `-5` and `-` are values, `-x` and `--x` are flags. */
const looksLikeFlag = (text: string): boolean => /^-[^\d.]/.test(text);

/** The unread words of the line, and the index of the last word read. */
interface Rest {
  readonly queue: string[];
  readonly at: number;
}

const flag = (field: FlagSpelling, raw: string, value: string | undefined, { at }: Rest): Token => ({
  kind: "flag",
  name: field.flag ?? raw,
  raw,
  value,
  at,
});

/** The value that follows a flag, taken from the queue; undefined when there is none. */
function takeValue(queue: string[]): string | undefined {
  const [next] = queue;
  if (next === undefined || looksLikeFlag(next)) return undefined;
  return queue.shift();
}

function longFlag(text: string, names: FlagNames, rest: Rest): Token {
  const equals = text.indexOf("=");
  const raw = equals === -1 ? text : text.slice(0, equals);
  const field = names.long.get(raw.slice(2));
  if (field === undefined) return { kind: "unknown", raw };
  if (equals !== -1) return flag(field, raw, text.slice(equals + 1), rest);
  return flag(field, raw, field.type === "boolean" ? "true" : takeValue(rest.queue), rest);
}

/** `-qv` is two switches; `-C folder` and `-Cfolder` are one flag with a value. */
function shortFlags(text: string, names: FlagNames, rest: Rest): Token[] {
  const tokens: Token[] = [];
  for (let index = 1; index < text.length; index += 1) {
    const raw = `-${text.charAt(index)}`;
    const field = names.short.get(text.charAt(index));
    if (field === undefined) return [...tokens, { kind: "unknown", raw: index === 1 ? text : raw }];
    if (field.type !== "boolean") {
      const inline = text.slice(index + 1).replace(/^=/, "");
      return [...tokens, flag(field, raw, inline === "" ? takeValue(rest.queue) : inline, rest)];
    }
    tokens.push(flag(field, raw, "true", rest));
  }
  return tokens;
}

/** Cuts a command line into flags and positionals. Knows nothing of verbs; never fails. */
export function tokenise(argv: readonly string[], names: FlagNames): Token[] {
  const tokens: Token[] = [];
  const queue = [...argv];
  for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
    const at = argv.length - queue.length - 1;
    if (text === "--") {
      return [...tokens, ...queue.map((value, index): Token => ({ kind: "positional", value, at: at + 1 + index }))];
    }
    if (text.startsWith("--")) tokens.push(longFlag(text, names, { queue, at }));
    else if (looksLikeFlag(text)) tokens.push(...shortFlags(text, names, { queue, at }));
    else tokens.push({ kind: "positional", value: text, at });
  }
  return tokens;
}
