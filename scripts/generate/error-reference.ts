import { BUS_ERROR_CODES, CLIENT_ERROR_CODES, ERROR_CODES, errorRow, EXITS } from "claw-contract";
import { code, markdownTable, NOTICE } from "./markdown-table.ts";

function exitTable(): string {
  const rows = Object.entries(EXITS).map(([name, exit]) => [
    String(exit.number),
    code(name),
    exit.retryable ? "yes" : "no",
    exit.sideEffects,
    exit.description,
  ]);
  return markdownTable(["Exit", "Name", "Call again", "Side effects", "Meaning"], rows);
}

function errorTable(): string {
  const rows = ERROR_CODES.map((name) => {
    const row = errorRow(name);
    return [
      code(name),
      code(row.kind),
      row.lookup ? code(row.kind) : row.class,
      code(row.exit),
      row.retryable ? "yes" : "no",
      row.phase,
      row.hint,
    ];
  });
  return markdownTable(["Code", "`kind`", "`error.kind`", "Exit", "Retryable", "Phase", "Hint"], rows);
}

/** What a client of the bus carries of the catalogue. */
export function wireErrors(): Map<string, string> {
  const lines = CLIENT_ERROR_CODES.map((name) => `  ${name}: ${JSON.stringify(errorRow(name).hint)},`);
  const retryable = [...CLIENT_ERROR_CODES, ...BUS_ERROR_CODES].filter((name) => errorRow(name).retryable);
  const text = [
    "// Made by `npm run generate`. Edit the error's row instead.",
    'import type { WireErrorCode } from "./wire-error-codes.ts";',
    "",
    "/** The next step after each error that a client makes itself. */",
    `export const CLIENT_HINTS: Readonly<Partial<Record<WireErrorCode, string>>> = {\n${lines.join("\n")}\n};`,
    "",
    "/** The errors after which the same call, unchanged, may succeed. */",
    `export const RETRYABLE_WIRE_ERRORS: readonly WireErrorCode[] = ${JSON.stringify(retryable)};`,
    "",
  ];
  return new Map([["packages/contract/src/errors/wire-errors.generated.ts", text.join("\n")]]);
}

/** Every error and every exit, as a page. */
export function errorReference(): Map<string, string> {
  const text = [
    NOTICE,
    "# Errors and exits",
    "",
    "`code` is the precise cause, in every envelope: `error.code`, in `flat` at the top level. `kind` is the token at the",
    "top level of `claw` and `flat`. `error.kind` is the class in `claw`; in a not-found answer it is the token. `Retryable`",
    "means that the same call, unchanged, may succeed; in `response` it is also true for ARG_ERROR, REDIRECTED and",
    "TOKEN_EXPIRED, which the caller can put right by itself.",
    "",
    "## Exits",
    "",
    "`--envelope response` exits with the numbers below. `claw` exits with 0, 1, or 2 for TIMEOUT; `flat` with 0 or 1.",
    "A call that SIGINT or SIGTERM ended exits with 130 or 143 in `response` and in text, with 1 in `claw` and `flat`.",
    "",
    exitTable(),
    "",
    "## Codes",
    "",
    errorTable(),
    "",
  ];
  return new Map([["docs/generated/errors.md", text.join("\n")]]);
}
