import { constants } from "node:os";
import type { ErrorCategory } from "claw-contract";
import type { ExitEvidence } from "../stream/run-reader.ts";

/** What the end of the process says. */
export interface ExitFacts {
  readonly exitCode: number;
  readonly signal: string | null;
  /**
   * Error of a process that was not started, was cancelled or ran out of time. This error alone decides the verdict.
   * Null for other ends.
   */
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

/** Reads the evidence. `hasFailed`: the stream reports that the last turn failed. */
export function readExit(evidence: ExitEvidence, hasFailed: boolean): ExitFacts {
  const { exitCode, signal, ended, startError } = evidence;
  switch (ended) {
    case "not-started":
      return forcedEnd(null, startError ?? "the agent did not start", null);
    case "cancelled":
      return forcedEnd(signal, "cancelled", null);
    case "total-deadline":
    case "idle-deadline":
      // An agent that exited with 0 at the very moment of the deadline was in time.
      return exitCode === 0 ? ownEnd(evidence) : forcedEnd(signal, "timeout", "timeout");
    case "linger":
      // The agent reported its result before claw ended the process, so the result decides and the exit does not.
      return { exitCode: hasFailed ? exitCode || 1 : 0, signal: null, forced: null };
    case "by-itself":
      return ownEnd(evidence);
  }
}
