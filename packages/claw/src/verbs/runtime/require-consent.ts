import { ClawError } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { Ports } from "./handle.ts";

export interface Consent {
  /** What would happen, as a sentence without its end: "Remove 3 workers". */
  readonly question: string;
  readonly operation: string;
  readonly target: string;
  /** Whether the caller has said yes already. */
  readonly yes: boolean;
  /** What would be done, shaped like the verb's output. */
  readonly partial: JsonObject;
}

const YES = /^\s*y(es)?\s*$/i;

/** Asks the person at the terminal before an act on many things. Throws CONFIRMATION_REQUIRED without a yes. */
export async function requireConsent(consent: Consent, { terminal, signal }: Ports): Promise<void> {
  const { question, operation, target, yes, partial } = consent;
  if (yes) return;
  const answer = terminal === null ? null : await terminal.ask(`${question}? [y/N] `, signal);
  if (answer !== null && YES.test(answer)) return;
  const message = terminal === null ? `${question}? That needs --yes` : `${question}? Nothing was done`;
  throw new ClawError("CONFIRMATION_REQUIRED", message, { operation, target, partial });
}
