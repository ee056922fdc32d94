import { ClawError, firstChars } from "claw-contract";
import type { ToolOutput } from "./tool.ts";

/** The output of a tool that has done its work: `value` as JSON. */
export const toolAnswer = (value: Readonly<Record<string, unknown>>, isError = false): ToolOutput => ({
  output: JSON.stringify(value),
  isError,
});

/** The output of a tool that failed in a way the model can correct. */
export const refuseCall = (message: string): ToolOutput => ({ output: message, isError: true });

/**
 * Runs a tool's work. A ClawError becomes an output with `isError`; any other error is thrown on. Rejects with the
 * signal's reason when the signal is aborted.
 */
export async function attempt(signal: AbortSignal, work: () => Promise<ToolOutput> | ToolOutput): Promise<ToolOutput> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ClawError) return refuseCall(error.message);
    throw error;
  }
}

/** The beginning of a text, as much of it as an answer may hold. */
export function excerpt(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${firstChars(text, maxChars)}… [${text.length - maxChars} characters more]`;
}
