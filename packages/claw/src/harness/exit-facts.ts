import { constants } from "node:os";
import type { ErrorCategory } from "@claw/contract";
import type { ExitEvidence } from "./run-reader.ts";

/** What the end of the process says. */
export interface ExitFacts {
  readonly exitCode: number;
  readonly signal: string | null;
  /** Set when the process did not come to its own end, so that nothing else decides. */
  readonly forced: { readonly error: string; readonly category: ErrorCategory | null } | null;
}

function signalNumber(signal: string): number {
  const numbers: Readonly<Record<string, number | undefined>> = constants.signals;
  return numbers[signal] ?? 1;
}

function ownEnd({ exitCode, signal }: ExitEvidence): ExitFacts {
  if (signal !== null) return { exitCode: -signalNumber(signal), signal, forced: null };
  return { exitCode: exitCode ?? 0, signal, forced: null };
}

const forcedEnd = (signal: string | null, error: string, category: ErrorCategory | null): ExitFacts => ({
  exitCode: -1,
  signal,
  forced: { error, category },
});

/** Reads the evidence. `hasFailed` is what the stream says of the last turn. */
export function readExit(evidence: ExitEvidence, hasFailed: boolean): ExitFacts {
  const { exitCode, signal, ended, startError } = evidence;
  switch (ended) {
    case "not-started":
      return forcedEnd(null, startError ?? "the agent did not start", null);
    case "cancelled":
      return forcedEnd(signal, "cancelled", null);
    case "total-deadline":
    case "idle-deadline":
      // One that left on its own in that very moment was in time.
      return exitCode === 0 ? ownEnd(evidence) : forcedEnd(signal, "timeout", "timeout");
    case "linger":
      // It had said how it went before it was ended; how it left then is an answer to that.
      return { exitCode: hasFailed ? exitCode || 1 : 0, signal: null, forced: null };
    case "by-itself":
      return ownEnd(evidence);
  }
}
