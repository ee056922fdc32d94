import type { FieldSpec, VerbSpec } from "claw-contract";
import { describeFields, describeVerb, globalFlags, VERBS } from "claw-contract/schemas";
import { parsedList, quoted } from "./parsed-data.ts";

const detailsEntry = ({ name, fields, errors, examples }: VerbSpec): string =>
  `  ${JSON.stringify(name)}: () =>\n    ${quoted(JSON.stringify({ fields, errors, examples }))},`;

const withoutDetails = ({ fields: _fields, errors: _errors, examples: _examples, ...head }: VerbSpec) => head;

/** The spellings of flags, each once. Where two fields share one, the later field holds. */
function flagSpellings(fields: readonly FieldSpec[]): unknown[] {
  const spellings = fields
    .filter(({ flag }) => flag !== undefined)
    .map(({ flag, short, aliases, type }) => JSON.stringify({ flag, short, aliases, type }))
    .toReversed();
  return [...new Set(spellings)].toReversed().map((text) => JSON.parse(text) as unknown);
}

/** The contract's verbs as plain data, for an entry that starts without the schema library. */
export function verbTable(): Map<string, string> {
  const specs = Object.values(VERBS).map((verb) => describeVerb(verb));
  const globals = describeFields(globalFlags);
  const text = [
    "// Made by `npm run generate`. Edit the verb's contract instead.",
    'import type { FieldSpec, FlagSpelling, VerbSpec } from "claw-contract";',
    'import { withDetails } from "./verb-details.ts";',
    "",
    "/** Flags that every call takes. */",
    `export const GLOBAL_FIELDS = ${parsedList(globals)} as readonly FieldSpec[];`,
    "",
    "/** The spellings of the flags of all verbs. */",
    `export const FLAG_SPELLINGS = ${parsedList(flagSpellings([...specs.flatMap(({ fields }) => fields), ...globals]))} as readonly FlagSpelling[];`,
    "",
    "/** The details of each verb as JSON. */",
    `const DETAILS = {\n${specs.map(detailsEntry).join("\n")}\n};`,
    "",
    "/** Every verb, without its schemas. */",
    `export const VERB_SPECS: readonly VerbSpec[] = withDetails(${parsedList(specs.map(withoutDetails))}, DETAILS);`,
    "",
  ];
  return new Map([["packages/claw/src/verbs/runtime/verb-table.generated.ts", text.join("\n")]]);
}
