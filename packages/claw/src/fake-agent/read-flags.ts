/** How many values a flag takes: none, one, one if the next word is no flag, or all words up to the next flag. */
export type Arity = "none" | "one" | "maybe" | "many";

/** The flags of a CLI by every spelling, each with its main one. */
export type FlagTable = ReadonlyMap<string, { readonly name: string; readonly arity: Arity }>;

/** Makes a table of lines like `-p --print`, grouped by arity. */
export function flagTable(groups: Readonly<Record<Arity, string>>): FlagTable {
  const entries = (Object.entries(groups) as [Arity, string][]).flatMap(([arity, lines]) =>
    lines
      .trim()
      .split(",")
      .flatMap((line) => {
        const spellings = line.trim().split(" ");
        const name = spellings.at(-1) ?? line;
        return spellings.map((spelling) => [spelling, { name, arity }] as const);
      }),
  );
  return new Map(entries);
}

export interface FlagReading {
  /** Values by main spelling; a flag without a value has the empty list. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
  /** The first flag that is in no table. */
  readonly unknown: string | undefined;
}

const isFlag = (text: string): boolean => text.startsWith("-") && text !== "-";

function takeValues(arity: Arity, queue: string[]): string[] {
  if (arity === "none") return [];
  if (arity === "one") return queue.splice(0, 1);
  const end = queue.findIndex(isFlag);
  const free = end === -1 ? queue.length : end;
  return queue.splice(0, arity === "maybe" ? Math.min(1, free) : free);
}

/** Reads a command line by a table, as the common libraries for it do. Never fails. */
export function readFlags(argv: readonly string[], table: FlagTable): FlagReading {
  const flags = new Map<string, string[]>();
  const words: string[] = [];
  const queue = [...argv];
  let unknown: string | undefined;
  for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
    if (text === "--") return { flags, words: [...words, ...queue], unknown };
    if (!isFlag(text)) {
      words.push(text);
      continue;
    }
    const equals = text.startsWith("--") ? text.indexOf("=") : -1;
    const spelling = equals === -1 ? text : text.slice(0, equals);
    const known = table.get(spelling);
    if (known === undefined) unknown ??= spelling;
    const values = equals === -1 ? takeValues(known?.arity ?? "none", queue) : [text.slice(equals + 1)];
    const name = known?.name ?? spelling;
    flags.set(name, [...(flags.get(name) ?? []), ...values]);
  }
  return { flags, words, unknown };
}
