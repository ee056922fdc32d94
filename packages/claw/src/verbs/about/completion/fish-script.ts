import type { FieldSpec, VerbSpec } from "claw-contract";
import { FAMILIES, wordsOf } from "claw-contract";
import { isFlag } from "../help-text.ts";
import { GLOBAL_FIELDS, VERB_SPECS } from "../../runtime/verb-table.generated.ts";
import type { Offer } from "./completion-words.ts";
import { families, positionalOffer, SOURCES, valueFlags, valueOffer } from "./completion-words.ts";

const quoteForFish = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;

/** Words, and names that are looked up when they are needed. */
function argumentOf({ words, sources }: Offer): string {
  const parts = [...words, ...sources.map((source) => `(${SOURCES[source]})`)];
  return parts.length === 0 ? "" : ` -xa ${quoteForFish(parts.join(" "))}`;
}

function flagLine(condition: string, field: FieldSpec): string {
  const value = argumentOf(valueOffer(field));
  const takesValue = field.type === "boolean" || value !== "" ? "" : " -r";
  return `complete -c claw ${condition}-l ${field.flag ?? field.name}${takesValue}${value} -d ${quoteForFish(field.description)}`;
}

/** Finds the verb on the line: its first words that are neither flags nor a flag's value, one or of a family two. */
const findVerb = (): string => `function __claw_verb
    set -l verb
    set -l skip
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip
            continue
        end
        switch $word
            case ${valueFlags().join(" ")}
                set skip 1
            case '-*'
            case '*'
                set -a verb $word
                contains -- "$verb" ${families().join(" ")}; or break
        end
    end
    echo "$verb"
end
function __claw_is
    test (__claw_verb) = "$argv"
end`;

/** When just this verb, or only the first word of a family, stands on the line; nothing does without words. */
const when = (words: string): string => `-n ${quoteForFish(words === "" ? "__claw_is ''" : `__claw_is ${words}`)}`;

/** The lines on which a verb is meant: of a family, one verb is meant by the first word alone too. */
const conditionsOf = (spec: VerbSpec): string[] =>
  [spec.name, ...(spec.alone ? [wordsOf(spec.name).command] : [])].map((words) => `${when(words)} `);

function argumentLines(spec: VerbSpec): string[] {
  const offered = argumentOf(positionalOffer(spec));
  return offered === "" ? [] : conditionsOf(spec).map((condition) => `complete -c claw ${condition}${offered.trim()}`);
}

/** Where a verb's last word can be typed; files are no verbs. */
function verbLine({ name, summary }: VerbSpec): string {
  const { command, action } = wordsOf(name);
  return `complete -c claw ${when(action === undefined ? "" : command)} -f -a ${action ?? command} -d ${quoteForFish(summary)}`;
}

const familyLine = (family: string): string =>
  `complete -c claw ${when("")} -f -a ${family} -d ${quoteForFish(FAMILIES[family] ?? "")}`;

/** What fish is told about claw. */
export function fishScript(): string {
  const flags = VERB_SPECS.flatMap((spec) =>
    conditionsOf(spec).flatMap((condition) => spec.fields.filter(isFlag).map((field) => flagLine(condition, field))),
  );
  return [
    findVerb(),
    ...families().map(familyLine),
    ...VERB_SPECS.map(verbLine),
    ...VERB_SPECS.flatMap(argumentLines),
    ...flags,
    ...GLOBAL_FIELDS.map((field) => flagLine("", field)),
    "",
  ].join("\n");
}
