import type { FieldSpec, VerbSpec } from "claw-contract";
import { FAMILIES, wordsOf } from "claw-contract";
import { isFlag } from "../help-text.ts";
import { GLOBAL_FIELDS, VERB_SPECS } from "../../runtime/verb-table.generated.ts";

/** Shell commands that print the names of workers and sessions. The shell runs the command at the moment of typing. */
export const SOURCES = {
  workers: `claw ps --all --output-format json --timeout-seconds 5 2> /dev/null | grep -o '"name":"[^"]*"' | cut -d '"' -f 4`,
  sessions: `claw list-sessions --output-format json 2> /dev/null | grep -o '"session_id":"[^"]*"' | cut -d '"' -f 4`,
} as const;

export type Source = keyof typeof SOURCES;

/** Fields that name a worker or a session. */
const NAMED: Readonly<Record<string, Source>> = {
  worker: "workers",
  workers: "workers",
  approval: "workers",
  parent: "workers",
  sessionId: "sessions",
  resume: "sessions",
};

/** Completions for one place of a command line: fixed words, and sources of names to look up. */
export interface Offer {
  readonly words: readonly string[];
  readonly sources: readonly Source[];
}

const flagsOf = (fields: readonly FieldSpec[]): string[] =>
  fields.filter(isFlag).map((field) => `--${field.flag ?? field.name}`);

export const spellings = ({ flag, name, aliases = [], short }: FieldSpec): string[] => [
  `--${flag ?? name}`,
  ...aliases.map((alias) => `--${alias}`),
  ...(short === undefined ? [] : [`-${short}`]),
];

export const verbNames = (): string[] => [...new Set(VERB_SPECS.map((spec) => wordsOf(spec.name).command))];

/** The first words of two-word verbs. */
export const families = (): string[] => Object.keys(FAMILIES);

const sourcesOf = (fields: readonly FieldSpec[]): Source[] => [
  ...new Set(fields.flatMap(({ name }) => NAMED[name] ?? [])),
];

/** Completions for the arguments of a verb. */
export function positionalOffer(spec: VerbSpec): Offer {
  const fields = spec.fields.filter((field) => !isFlag(field));
  const verbs = spec.name === "help" ? verbNames() : [];
  return { words: [...verbs, ...fields.flatMap((field) => field.values ?? [])], sources: sourcesOf(fields) };
}

/** Completions after a verb: the arguments and flags of the verb, and the global flags. */
function afterVerb(spec: VerbSpec): Offer {
  const { words, sources } = positionalOffer(spec);
  return { words: [...words, ...flagsOf(spec.fields), ...flagsOf(GLOBAL_FIELDS)], sources };
}

/** Completions by verb. The first word of a two-word verb has an entry too, which offers the second words. */
export function offersByVerb(): (readonly [verb: string, offer: Offer])[] {
  const after = new Map<string, Offer>();
  for (const spec of VERB_SPECS) {
    const { command, action } = wordsOf(spec.name);
    const own = spec.alone ? afterVerb(spec) : { words: [], sources: [] };
    const { words = [], sources = [] } = after.get(command) ?? {};
    if (action !== undefined) {
      after.set(command, { words: [...words, action, ...own.words], sources: [...sources, ...own.sources] });
    }
    after.set(spec.name, afterVerb(spec));
  }
  return [...after];
}

/** Completions directly after `claw`: verbs and global flags. */
export const firstWords = (): string[] => [...verbNames(), ...flagsOf(GLOBAL_FIELDS)];

/** Completions for the value of a flag. */
export const valueOffer = (field: FieldSpec): Offer => ({
  words: field.values ?? [],
  sources: isFlag(field) ? sourcesOf([field]) : [],
});

const takesValue = (field: FieldSpec): boolean => isFlag(field) && field.type !== "boolean";
const isEmpty = ({ words, sources }: Offer): boolean => words.length + sources.length === 0;

/** Values of flags, by verb and flag; a flag of every verb stands under `*`. */
export function valueOffers(): { verb: string; flags: readonly string[]; offer: Offer }[] {
  const rows = [
    ...VERB_SPECS.flatMap(({ name, fields }) => fields.map((field) => ({ verb: name, field }))),
    ...GLOBAL_FIELDS.map((field) => ({ verb: "*", field })),
  ];
  return rows
    .filter(({ field }) => takesValue(field))
    .map(({ verb, field }) => ({ verb, flags: spellings(field), offer: valueOffer(field) }))
    .filter(({ offer }) => !isEmpty(offer));
}

/** Flags that take the next word as a value; the next word is not the verb. */
export const valueFlags = (): string[] => {
  const fields = [...GLOBAL_FIELDS, ...VERB_SPECS.flatMap((spec) => spec.fields)];
  return [...new Set(fields.filter(takesValue).flatMap(spellings))];
};
