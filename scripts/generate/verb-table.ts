import { describeFields, describeVerb, globalFlags, VERBS } from "claw-contract/schemas";
import { parsedList } from "./parsed-data.ts";

/** The contract's verbs as plain data, for an entry that starts without the schema library. */
export function verbTable(): Map<string, string> {
  const specs = Object.values(VERBS).map((verb) => describeVerb(verb));
  const text = [
    "// Made by `npm run generate`. Edit the verb's contract instead.",
    'import type { FieldSpec, VerbSpec } from "claw-contract";',
    "",
    "/** Flags that every call takes. */",
    `export const GLOBAL_FIELDS = ${parsedList(describeFields(globalFlags))} as readonly FieldSpec[];`,
    "",
    "/** Every verb, without its schemas. */",
    `export const VERB_SPECS = ${parsedList(specs)} as readonly VerbSpec[];`,
    "",
  ];
  return new Map([["packages/claw/src/verbs/runtime/verb-table.generated.ts", text.join("\n")]]);
}
