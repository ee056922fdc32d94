import type { ErrorCode, ExitName, FieldSpec, VerbOutput, VerbSpec } from "claw-contract";
import {
  ENVIRONMENT,
  errorRow,
  errorsOf,
  exitNumber,
  EXITS,
  FLAG_RENAMES,
  RENAMES,
  verbId,
  wordsOf,
} from "claw-contract";
import { jsonSchema } from "claw-contract/schemas";
import { handle } from "../runtime/handle.ts";
import { isFlag } from "./help-text.ts";
import { GLOBAL_FIELDS, VERB_SPECS } from "../runtime/verb-table.generated.ts";
import { table } from "../text/text-layout.ts";

type Output = VerbOutput<"manifest">;
type CommandEntry = Output["commands"][string];
type FlagEntry = CommandEntry["flags"][string];

const DANGER = { read: "safe", write: "mutating", delete: "destructive" } as const;

function flagEntry(field: FieldSpec): FlagEntry {
  return {
    type: field.type,
    required: field.required,
    description: field.description,
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.values === undefined ? {} : { enum_values: [...field.values] }),
    ...(field.short === undefined ? {} : { short: field.short }),
  };
}

const flagEntries = (fields: readonly FieldSpec[]): Record<string, FlagEntry> =>
  Object.fromEntries(fields.filter(isFlag).map((field) => [field.flag ?? field.name, flagEntry(field)]));

/** The exits of the `response` envelope a command can end with, by number. */
function exitCodes(errors: readonly ErrorCode[]): CommandEntry["exit_codes"] {
  const names = new Set<ExitName>(["SUCCESS", ...errors.map((code) => errorRow(code).exit)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const { description, retryable, sideEffects } = EXITS[name];
      return [String(exitNumber(name)), { name, description, retryable, side_effects: sideEffects }];
    }),
  );
}

function commandEntry(spec: VerbSpec): CommandEntry {
  const errors = errorsOf(spec);
  const positionals = spec.fields.filter((field) => !isFlag(field));
  return {
    description: spec.summary,
    ...(spec.alone ? { aliases: [wordsOf(spec.name).command] } : {}),
    danger_level: DANGER[spec.effect],
    flags: flagEntries(spec.fields),
    positionals: positionals.map((field) => ({ name: field.name, ...flagEntry(field) })),
    exit_codes: exitCodes(errors),
    errors,
    output_formats: ["text", "json"],
    output_schema: { ...jsonSchema(`${verbId(spec.name)}.output`) },
    required_scopes: [],
    requires_credentials: false,
    examples: [...spec.examples],
  };
}

export const handler = handle("manifest", {
  run: (_input, ports) => ({
    framework_version: ports.toolVersion,
    commands: Object.fromEntries(VERB_SPECS.map((spec) => [spec.name, commandEntry(spec)])),
    global_flags: flagEntries(GLOBAL_FIELDS),
    renamed: Object.fromEntries([
      ...RENAMES.map(({ from, to }) => [from.join(" "), to] as const),
      ...FLAG_RENAMES.map(({ from, to }) => [`--${from}`, `--${to}`] as const),
    ]),
    environment: [...ENVIRONMENT],
  }),
  show: ({ commands }, paint) =>
    table(
      ["COMMAND", "DANGER", "DESCRIPTION"],
      Object.entries(commands).map(([name, entry]) => [name, entry.danger_level, entry.description]),
      paint,
    ),
});
