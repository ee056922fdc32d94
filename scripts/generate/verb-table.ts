import { describeFields, describeVerb, globalFlags, VERBS } from "@claw/contract/schemas";

/** The contract's verbs as plain data, for an entry that starts without the schema library. */
export function verbTable(): Map<string, string> {
  const specs = Object.values(VERBS).map((verb) => describeVerb(verb));
  const text = [
    "// Made by `npm run generate`. Edit the verb's contract instead.",
    'import type { FieldSpec, VerbSpec } from "@claw/contract";',
    "",
    "/** Flags that every call takes. */",
    `export const GLOBAL_FIELDS: readonly FieldSpec[] = ${JSON.stringify(describeFields(globalFlags), null, 1)};`,
    "",
    "/** Every verb, without its schemas. */",
    `export const VERB_SPECS: readonly VerbSpec[] = ${JSON.stringify(specs, null, 1)};`,
    "",
  ];
  return new Map([["packages/claw/src/verbs/verb-table.generated.ts", text.join("\n")]]);
}
