import type { FieldSpec, VerbSpec } from "@claw/contract";
import { FAMILIES, wordsOf } from "@claw/contract";
import { handle } from "./handle.ts";
import { isFlag } from "./help-text.ts";
import { GLOBAL_FIELDS, VERB_SPECS } from "./verb-table.generated.ts";

const flagsOf = (fields: readonly FieldSpec[]): string[] =>
  fields.filter(isFlag).map((field) => `--${field.flag ?? field.name}`);

/** What can follow a verb: its fixed words, its flags, and those of every verb. */
const wordsAfter = (spec: VerbSpec): string[] => [
  ...spec.fields.filter((field) => !isFlag(field)).flatMap((field) => field.values ?? []),
  ...flagsOf(spec.fields),
  ...flagsOf(GLOBAL_FIELDS),
];

/** Flags whose next word is their value and not the verb. */
const valueFlags = (): string[] => {
  const fields = [...GLOBAL_FIELDS, ...VERB_SPECS.flatMap((spec) => spec.fields)];
  const taking = fields.filter((field) => isFlag(field) && field.type !== "boolean");
  const spellings = taking.flatMap((field) => [
    `--${field.flag ?? field.name}`,
    ...(field.aliases ?? []).map((alias) => `--${alias}`),
    ...(field.short === undefined ? [] : [`-${field.short}`]),
  ]);
  return [...new Set(spellings)];
};

/** The verbs by their words: what follows one, and of a family what follows its first word. */
function wordsAfterEach(): (readonly [string, readonly string[]])[] {
  const after = new Map<string, string[]>();
  for (const spec of VERB_SPECS) {
    const { command, action } = wordsOf(spec.name);
    const own = spec.alone ? wordsAfter(spec) : [];
    if (action !== undefined) after.set(command, [...(after.get(command) ?? []), action, ...own]);
    after.set(spec.name, wordsAfter(spec));
  }
  return [...after];
}

/** Words that say which verb a two-word verb is. */
const families = (): string[] => Object.keys(FAMILIES);

/** The part both shells share: the first words that are neither flags nor a flag's value, one or of a family two. */
const findVerb = (words: string): string => `  local word verb="" skip=""
  for word in ${words}; do
    if [[ -n "$skip" ]]; then skip=""; continue; fi
    case "$word" in
      ${valueFlags().join("|")}) skip=1 ;;
      -*) ;;
      *) verb="\${verb:+$verb }$word"
        case "$verb" in ${families().join("|")}) ;; *) break ;; esac ;;
    esac
  done`;

const verbNames = (): string => [...new Set(VERB_SPECS.map((spec) => wordsOf(spec.name).command))].join(" ");

function bashScript(): string {
  const cases = wordsAfterEach().map(([verb, words]) => `    "${verb}") words="${words.join(" ")}" ;;`);
  return `_claw() {
  local words
${findVerb('"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$verb" in
${cases.join("\n")}
    *) words="${verbNames()} ${flagsOf(GLOBAL_FIELDS).join(" ")}" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _claw claw
`;
}

function zshScript(): string {
  const cases = wordsAfterEach().map(([verb, words]) => `    "${verb}") compadd -- ${words.join(" ")}; _files ;;`);
  return `#compdef claw
_claw() {
${findVerb('"${(@)words[2,CURRENT-1]}"')}
  case "$verb" in
${cases.join("\n")}
    *) compadd -- ${verbNames()} ${flagsOf(GLOBAL_FIELDS).join(" ")} ;;
  esac
}
compdef _claw claw
`;
}

const quoteFish = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;

function fishFlag(condition: string, field: FieldSpec): string {
  const value = field.values === undefined ? "" : ` -xa ${quoteFish(field.values.join(" "))}`;
  const takesValue = field.type === "boolean" || value !== "" ? "" : " -r";
  return `complete -c claw ${condition}-l ${field.flag ?? field.name}${takesValue}${value} -d ${quoteFish(field.description)}`;
}

/** When a verb stands on the line. */
function fishCondition({ name }: VerbSpec): string {
  const { command, action } = wordsOf(name);
  const seen = [command, ...(action === undefined ? [] : [action])].map(
    (word) => `__fish_seen_subcommand_from ${word}`,
  );
  return `-n '${seen.join("; and ")}'`;
}

/** Fixed words that may stand behind a verb. */
function fishWords(spec: VerbSpec): string[] {
  const words = spec.fields.filter((field) => !isFlag(field)).flatMap((field) => field.values ?? []);
  if (words.length === 0) return [];
  return [`complete -c claw ${fishCondition(spec)} -xa ${quoteFish(words.join(" "))}`];
}

/** Where a verb's last word can be typed. */
function fishVerb({ name, summary }: VerbSpec): string {
  const { command, action } = wordsOf(name);
  const where = action === undefined ? "__fish_use_subcommand" : `'__fish_seen_subcommand_from ${command}'`;
  return `complete -c claw -n ${where} -a ${action ?? command} -d ${quoteFish(summary)}`;
}

const fishFamily = (family: string): string =>
  `complete -c claw -n __fish_use_subcommand -a ${family} -d ${quoteFish(FAMILIES[family] ?? "")}`;

function fishScript(): string {
  const verbs = [...families().map(fishFamily), ...VERB_SPECS.map(fishVerb)];
  const flags = VERB_SPECS.flatMap((spec) =>
    spec.fields.filter(isFlag).map((field) => fishFlag(`${fishCondition(spec)} `, field)),
  );
  const words = VERB_SPECS.flatMap(fishWords);
  return [...verbs, ...words, ...flags, ...GLOBAL_FIELDS.map((field) => fishFlag("", field)), ""].join("\n");
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const handler = handle("completion", {
  run: ({ shell }) => ({ shell, script: SCRIPTS[shell]() }),
  show: ({ script }) => script.trimEnd(),
});
