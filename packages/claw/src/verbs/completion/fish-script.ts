import type { FieldSpec, VerbSpec } from "@claw/contract";
import { FAMILIES, wordsOf } from "@claw/contract";
import { isFlag } from "../help-text.ts";
import { GLOBAL_FIELDS, VERB_SPECS } from "../verb-table.generated.ts";
import type { Offer } from "./completion-words.ts";
import { families, positionalOffer, SOURCES, valueOffer } from "./completion-words.ts";

const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;

/** Words, and names that are looked up when they are needed. */
function argumentOf({ words, sources }: Offer): string {
  const parts = [...words, ...sources.map((source) => `(${SOURCES[source]})`)];
  return parts.length === 0 ? "" : ` -xa ${quote(parts.join(" "))}`;
}

function flagLine(condition: string, field: FieldSpec): string {
  const value = argumentOf(valueOffer(field));
  const takesValue = field.type === "boolean" || value !== "" ? "" : " -r";
  return `complete -c claw ${condition}-l ${field.flag ?? field.name}${takesValue}${value} -d ${quote(field.description)}`;
}

/** When a verb stands on the line. */
function conditionOf({ name }: VerbSpec): string {
  const { command, action } = wordsOf(name);
  const seen = [command, ...(action === undefined ? [] : [action])].map(
    (word) => `__fish_seen_subcommand_from ${word}`,
  );
  return `-n '${seen.join("; and ")}'`;
}

function argumentLine(spec: VerbSpec): string[] {
  const offered = argumentOf(positionalOffer(spec));
  return offered === "" ? [] : [`complete -c claw ${conditionOf(spec)}${offered}`];
}

/** Where a verb's last word can be typed. */
function verbLine({ name, summary }: VerbSpec): string {
  const { command, action } = wordsOf(name);
  const where = action === undefined ? "__fish_use_subcommand" : `'__fish_seen_subcommand_from ${command}'`;
  return `complete -c claw -n ${where} -a ${action ?? command} -d ${quote(summary)}`;
}

const familyLine = (family: string): string =>
  `complete -c claw -n __fish_use_subcommand -a ${family} -d ${quote(FAMILIES[family] ?? "")}`;

/** What fish is told about claw. */
export function fishScript(): string {
  const flags = VERB_SPECS.flatMap((spec) =>
    spec.fields.filter(isFlag).map((field) => flagLine(`${conditionOf(spec)} `, field)),
  );
  return [
    ...families().map(familyLine),
    ...VERB_SPECS.map(verbLine),
    ...VERB_SPECS.flatMap(argumentLine),
    ...flags,
    ...GLOBAL_FIELDS.map((field) => flagLine("", field)),
    "",
  ].join("\n");
}
