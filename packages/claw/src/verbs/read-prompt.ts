import { ClawError, LIMITS } from "@claw/contract";
import type { Ports, StandardInput } from "./handle.ts";

async function readStandardInput(stdin: StandardInput): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin.chunks()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= LIMITS.runPromptBytes) continue;
    throw new ClawError("REQUEST_TOO_LARGE", `the prompt is larger than ${LIMITS.runPromptBytes} bytes`, {
      operation: "read_prompt",
      target: "stdin",
    });
  }
  return Buffer.concat(chunks).toString();
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/**
 * The prompt of the line, or of standard input when the line has none or `-`. A terminal is only read when it is asked
 * for. Throws MISSING_PROMPT for one that is missing or blank, unless that is allowed.
 */
export async function readPromptText(
  prompt: string | undefined,
  { stdin, signal }: Pick<Ports, "stdin" | "signal">,
  { mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): Promise<string> {
  const isGiven = prompt !== undefined && prompt !== "-";
  if (isGiven && (prompt.trim() !== "" || mayBeMissing)) return prompt;
  const mayRead = !isGiven && !(prompt === undefined && (stdin.isTerminal() || mayBeMissing));
  const read = mayRead ? await Promise.race([readStandardInput(stdin), aborted(signal)]) : "";
  if (read.trim() !== "" || mayBeMissing) return read;
  throw new ClawError("MISSING_PROMPT", isGiven || mayRead ? "the prompt is empty" : "PROMPT is missing", {
    operation: "parse_arguments",
    target: "PROMPT",
  });
}
