/** Process exits of the `response` envelope, by name. Code says the name, never the number. */
export const EXITS = {
  SUCCESS: { number: 0, retryable: false, sideEffects: "complete", description: "The command did what was asked." },
  GENERAL_ERROR: { number: 1, retryable: false, sideEffects: "partial", description: "No more specific exit fits." },
  PARTIAL_FAILURE: {
    number: 2,
    retryable: false,
    sideEffects: "partial",
    description: "Part of the work was done; inspect it before you continue.",
  },
  ARG_ERROR: {
    number: 3,
    retryable: true,
    sideEffects: "none",
    description: "The call was refused before anything happened; correct it and call again.",
  },
  PRECONDITION: {
    number: 4,
    retryable: false,
    sideEffects: "none",
    description: "Something the command needs is missing or in the wrong state.",
  },
  NOT_FOUND: {
    number: 5,
    retryable: false,
    sideEffects: "none",
    description: "The thing that was named does not exist.",
  },
  CONFLICT: {
    number: 6,
    retryable: false,
    sideEffects: "none",
    description: "The target exists already, changed meanwhile, or is held by another process.",
  },
  PERMISSION_DENIED: {
    number: 7,
    retryable: false,
    sideEffects: "none",
    description: "The credentials are valid but lack the right, or a policy refused the call.",
  },
  AUTH_REQUIRED: {
    number: 8,
    retryable: false,
    sideEffects: "none",
    description: "Credentials are missing, invalid or expired; error.code tells which.",
  },
  PAYMENT_REQUIRED: {
    number: 9,
    retryable: false,
    sideEffects: "none",
    description: "The account behind the call is out of credit.",
  },
  TIMEOUT: { number: 10, retryable: false, sideEffects: "partial", description: "The time limit was reached." },
  RATE_LIMITED: {
    number: 11,
    retryable: true,
    sideEffects: "none",
    description: "Too many calls; wait for retry_after.",
  },
  UNAVAILABLE: {
    number: 12,
    retryable: true,
    sideEffects: "none",
    description: "A service or resource is down or exhausted for now.",
  },
  REDIRECTED: {
    number: 13,
    retryable: true,
    sideEffects: "none",
    description: "The command moved; call error.redirect.command verbatim.",
  },
} as const satisfies Record<string, ExitEntry>;

export interface ExitEntry {
  readonly number: number;
  /** Whether a caller may call again when the answer itself does not say. */
  readonly retryable: boolean;
  readonly sideEffects: "none" | "partial" | "complete";
  readonly description: string;
}

export type ExitName = keyof typeof EXITS;

export const exitNumber = (name: ExitName): number => EXITS[name].number;

/** The name behind a process exit, or undefined for a number the table does not know. */
export function exitName(number: number): ExitName | undefined {
  return (Object.keys(EXITS) as ExitName[]).find((name) => EXITS[name].number === number);
}
