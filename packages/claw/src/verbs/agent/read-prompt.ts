import { ClawError, LIMITS } from "claw-contract";
import type { Ports, StandardInput } from "../runtime/handle.ts";

function tooLarge(): ClawError {
  return new ClawError("REQUEST_TOO_LARGE", `the prompt is larger than ${LIMITS.runPromptBytes} bytes`, {
    operation: "read_prompt",
    target: "stdin",
  });
}

async function readToEnd(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    kept.push(chunk);
    size += chunk.length;
    if (size > LIMITS.runPromptBytes) throw tooLarge();
  }
  return Buffer.concat(kept).toString();
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/** The chunks of an input, after telling that the first one, or the end, has come. */
async function* noticing(stdin: StandardInput, onFirst: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of stdin.chunks()) {
    onFirst();
    yield chunk;
  }
  onFirst();
}

/** Reads a text from a pipe; undefined when no byte arrives within `silenceMs`. */
async function readPiped({ stdin, signal }: PromptPorts, silenceMs: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), silenceMs);
  });
  try {
    const text = readToEnd(noticing(stdin, () => clearTimeout(timer)));
    return await Promise.race([text, silence, aborted(signal)]);
  } finally {
    clearTimeout(timer);
  }
}

type PromptPorts = Pick<Ports, "stdin" | "signal">;

/**
 * The prompt of the line, or of standard input when the line has none or `-`. A terminal is only read when it is asked
 * for. Throws MISSING_PROMPT for one that is missing or blank, unless that is allowed.
 */
export async function readPromptText(
  prompt: string | undefined,
  { stdin, signal }: PromptPorts,
  { mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): Promise<string> {
  const isGiven = prompt !== undefined && prompt !== "-";
  if (isGiven && (prompt.trim() !== "" || mayBeMissing)) return prompt;
  const mayRead = !isGiven && !(prompt === undefined && (stdin.isTerminal() || mayBeMissing));
  const read = mayRead ? await Promise.race([readToEnd(stdin.chunks()), aborted(signal)]) : "";
  if (read.trim() !== "" || mayBeMissing) return read;
  throw new ClawError("MISSING_PROMPT", isGiven || mayRead ? "the prompt is empty" : "PROMPT is missing", {
    operation: "parse_arguments",
    target: "PROMPT",
  });
}

/**
 * Like `readPromptText`. A text that is piped in beside a prompt of the line becomes the prompt's context. A silent
 * pipe is ignored, with a warning.
 */
export async function readPromptAndContext(
  prompt: string | undefined,
  ports: PromptPorts & Pick<Ports, "notes">,
  silenceMs: number = LIMITS.silentPipeMs,
): Promise<string> {
  const text = await readPromptText(prompt, ports);
  if (prompt === undefined || prompt === "-" || !ports.stdin.isPiped()) return text;
  const piped = await readPiped(ports, silenceMs);
  if (piped === undefined) {
    ports.notes.warn(`STDIN_IGNORED: nothing came from standard input within ${silenceMs / 1000} s`);
    return text;
  }
  const whole = piped.trim() === "" ? text : `${text}\n\n<stdin>\n${piped.trimEnd()}\n</stdin>`;
  if (Buffer.byteLength(whole) > LIMITS.runPromptBytes) throw tooLarge();
  return whole;
}
