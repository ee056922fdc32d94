import type { FieldSpec, Verb } from "claw-contract";
import { ENVIRONMENT, errorsOf, RENAMES, verbId, wordsOf } from "claw-contract";
import { describeFields, describeVerb, globalFlags, VERBS } from "claw-contract/schemas";
import { code, markdownTable, NOTICE } from "./markdown-table.ts";

function spelling(field: FieldSpec): string {
  if (field.flag === undefined) return code(field.name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  const short = field.short === undefined ? [] : [`-${field.short}`];
  const aliases = (field.aliases ?? []).map((alias) => `--${alias}`);
  return [`--${field.flag}`, ...short, ...aliases].map(code).join(", ");
}

function domain(field: FieldSpec): string {
  if (field.values !== undefined) return field.values.map(code).join(", ");
  const range = field.min === undefined ? "" : ` from ${field.min}${field.max === undefined ? "" : ` to ${field.max}`}`;
  return field.type + range;
}

function fieldTable(fields: readonly FieldSpec[]): string {
  const rows = fields.map((field) => [
    spelling(field),
    domain(field),
    field.required ? "required" : code(field.default === undefined ? "" : String(field.default)),
    field.description,
  ]);
  return markdownTable(["Input", "Value", "Default", "Meaning"], rows);
}

function section(verb: Verb): string {
  const spec = describeVerb(verb);
  const effects = { read: "changes nothing", write: "changes something", delete: "removes something" };
  return [
    `## ${verb.name}`,
    "",
    `${verb.summary} It ${effects[verb.effect]}.`,
    "",
    ...(spec.fields.length === 0 ? [] : [fieldTable(spec.fields), ""]),
    ...(verb.alone ? [`\`claw ${wordsOf(verb.name).command}\` alone means the same.`, ""] : []),
    ...verb.examples.flatMap(({ description, command }) => [`- ${description}: \`${command}\``]),
    "",
    `Answer: [schema](schemas/${verbId(verb.name)}.output.json). Errors: ${errorsOf(spec).map(code).join(", ")}.`,
    "",
  ].join("\n");
}

/** Every verb with its inputs, as a page. */
export function verbReference(): Map<string, string> {
  const text = [
    NOTICE,
    "# Commands",
    "",
    "Flags may stand before or after the command. `--` ends flags.",
    "",
    fieldTable(describeFields(globalFlags)),
    "",
    ...Object.values(VERBS).map(section),
    "## Renamed",
    "",
    markdownTable(
      ["Old", "New"],
      RENAMES.map(({ from, to }) => [code(from.join(" ")), code(to)]),
    ),
    "",
    "## Environment",
    "",
    markdownTable(
      ["Variable", "Meaning"],
      ENVIRONMENT.map(({ name, description }) => [code(name), description]),
    ),
    "",
  ];
  return new Map([["docs/generated/commands.md", text.join("\n")]]);
}
