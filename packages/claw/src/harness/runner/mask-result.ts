import type { Redactor, RunResult } from "claw-contract";

/**
 * Masks the texts of a result outside of its events. Each event was masked when it was read. A text joined from several
 * events may hold a secret that no single event held whole.
 */
export function maskResult(result: RunResult, { redactText, redactValue }: Redactor): RunResult {
  return {
    ...result,
    output: redactText(result.output),
    subagent_output: redactText(result.subagent_output),
    error: result.error === null ? null : redactText(result.error),
    warnings: redactValue(result.warnings),
    diagnostics: redactValue(result.diagnostics),
    metadata: redactValue(result.metadata),
  };
}
