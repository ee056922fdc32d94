import type { ExitName } from "./exits.ts";

/** Where in a call the failure happened; `validation` guarantees that nothing was changed. */
export type ErrorPhase = "validation" | "execution" | "cleanup";

export const ERROR_CLASSES = [
  "filesystem",
  "auth",
  "session",
  "parse",
  "runtime",
  "mcp",
  "delivery",
  "usage",
  "policy",
  "unknown",
] as const;

export type ErrorClass = (typeof ERROR_CLASSES)[number];

export interface ErrorRow {
  /** The snake_case token programs of the `flat` envelope branch on. */
  readonly kind: string;
  readonly class: ErrorClass;
  readonly exit: ExitName;
  /** Whether the same call, unchanged, may succeed later. An instance may know better. */
  readonly retryable: boolean;
  readonly phase: ErrorPhase;
  /** The next step for a person who has no more specific hint. Holds no placeholder: it is printed as it stands. */
  readonly hint: string;
  /** What the help on the verb says about it; a face that knows the verb names that help in the hint. */
  readonly help?: string;
  /** Set on the three lookups by name, which are answered with `found: false`. */
  readonly lookup?: true;
}

type RowOptions = Partial<Omit<ErrorRow, "kind" | "hint">>;

/** A call that was refused as written. */
export const usage = (kind: string, hint: string, options: RowOptions = {}): ErrorRow => ({
  kind,
  class: "usage",
  exit: "ARG_ERROR",
  retryable: false,
  phase: "validation",
  hint,
  ...options,
});

/** The same, where the help on the verb says what would be right. */
export const helped = (kind: string, help: string, options: RowOptions = {}): ErrorRow =>
  usage(kind, `Add --help to the call for ${help}.`, { help, ...options });

/** Something the call needs is missing, found before anything was changed. */
export const precondition = (kind: string, hint: string, options: RowOptions = {}): ErrorRow =>
  usage(kind, hint, { exit: "PRECONDITION", ...options });

/** A named thing that does not exist. */
export const missing = (kind: string, hint: string, options: RowOptions = {}): ErrorRow =>
  usage(kind, hint, { exit: "NOT_FOUND", ...options });

/** A failure while the work was being done. */
export const failure = (kind: string, hint: string, options: RowOptions = {}): ErrorRow =>
  usage(kind, hint, { class: "runtime", exit: "GENERAL_ERROR", phase: "execution", ...options });
