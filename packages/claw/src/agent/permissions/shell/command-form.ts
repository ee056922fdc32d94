/** The flags of a program that are known to be harmless. A command with any other flag is not vetted. */
export interface CommandForm {
  /** Letters of flags without a value. */
  readonly short?: string;
  /** Letters of flags whose value is the rest of the word, or the next one. */
  readonly shortValue?: string;
  /** Letters of flags with an optional value: the rest of the word, never the next word. */
  readonly shortMaybe?: string;
  /** Long flags; with `=` at the end they take a value behind it, with `=?` they may. */
  readonly long?: readonly string[];
  /** Whether `-20` is a number. */
  readonly numbers?: boolean;
  /** The kind of the operands. `pattern`: the first operand is a text to search for, the others are paths. */
  readonly operands: "paths" | "texts" | "pattern" | "none";
  readonly maxOperands?: number;
  /** Flags that hold the pattern: with such a flag, every operand is a path. */
  readonly patternFlags?: readonly string[];
}

export interface CommandArguments {
  readonly flags: readonly string[];
  readonly operands: readonly string[];
}

interface FlagReading {
  readonly flag: string;
  readonly takesNext: boolean;
}

function readLong(form: CommandForm, word: string): FlagReading | null {
  const [name = "", value] = word.slice(2).split(/=(.*)/s);
  const known = form.long?.find((flag) => flag.replace(/=\??$/, "") === name);
  if (known === undefined) return null;
  const [wants, may] = [known.endsWith("="), known.endsWith("=?")];
  if (value !== undefined && !wants && !may) return null;
  return { flag: `--${name}`, takesNext: wants && value === undefined };
}

/** Reads a cluster of flag letters; the first letter that takes a value ends the cluster. */
function readShort(form: CommandForm, word: string): FlagReading[] | null {
  if (form.numbers === true && /^-\d+$/.test(word)) return [{ flag: word, takesNext: false }];
  const readings: FlagReading[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at] as string;
    if (form.shortValue?.includes(letter)) {
      return [...readings, { flag: `-${letter}`, takesNext: at === word.length - 1 }];
    }
    if (form.shortMaybe?.includes(letter)) return [...readings, { flag: `-${letter}`, takesNext: false }];
    if (!form.short?.includes(letter)) return null;
    readings.push({ flag: `-${letter}`, takesNext: false });
  }
  return readings;
}

function readFlags(form: CommandForm, word: string): readonly FlagReading[] | null {
  if (!word.startsWith("--")) return readShort(form, word);
  const long = readLong(form, word);
  return long === null ? null : [long];
}

/** The arguments of a program, or null when one of them is not vetted. */
export function readCommandArguments(form: CommandForm, words: readonly string[]): CommandArguments | null {
  const flags: string[] = [];
  const operands: string[] = [];
  let areFlagsOver = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (areFlagsOver || word === "-" || !word.startsWith("-")) {
      operands.push(word);
    } else if (word === "--") {
      areFlagsOver = true;
    } else {
      const readings = readFlags(form, word);
      if (readings === null) return null;
      flags.push(...readings.map(({ flag }) => flag));
      if (readings.at(-1)?.takesNext !== true) continue;
      at += 1;
      const value = words[at];
      if (value === undefined) return null;
      // Some programs read no flags behind the first operand, and take the value as one more operand.
      if (operands.length > 0) operands.push(value);
    }
  }
  if (operands.length > (form.maxOperands ?? Infinity)) return null;
  return { flags, operands };
}

/** The operands that name files. `-`, the standard input, is left out. */
export function pathsIn(form: CommandForm, { flags, operands }: CommandArguments): readonly string[] {
  if (form.operands === "texts" || form.operands === "none") return [];
  const hasPattern = form.patternFlags?.some((flag) => flags.includes(flag)) ?? false;
  const paths = form.operands === "pattern" && !hasPattern ? operands.slice(1) : operands;
  return paths.filter((path) => path !== "-");
}
