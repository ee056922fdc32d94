import type { Redactor, RunResult } from "@claw/contract";

/**
 * Masks what a result says in its own words. Events were masked as they came; text that was put together from several
 * of them may hold a secret that none of them held whole.
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
