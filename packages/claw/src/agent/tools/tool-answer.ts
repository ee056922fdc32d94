import { ClawError } from "@claw/contract";
import type { ToolOutput } from "./tool.ts";

/** What a tool says when it has done its work. */
export const answer = (value: Readonly<Record<string, unknown>>, isError = false): ToolOutput => ({
  output: JSON.stringify(value),
  isError,
});

/** What a tool says when the model can mend what went wrong. */
export const refuse = (message: string): ToolOutput => ({ output: message, isError: true });

/**
 * Runs a tool's work and makes a failure of the catalogue an output; everything else stays an error. Rejects with the
 * signal's reason when that is aborted.
 */
export async function attempt(signal: AbortSignal, work: () => Promise<ToolOutput> | ToolOutput): Promise<ToolOutput> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ClawError) return refuse(error.message);
    throw error;
  }
}

/** The beginning of a text, as much of it as an answer may hold. */
export function excerpt(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "")}… [${text.length - maxChars} characters more]`;
}
