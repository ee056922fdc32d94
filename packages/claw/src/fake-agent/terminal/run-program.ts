import { LIMITS } from "claw-contract";
import { openProcess } from "../../process/index.ts";

/** A program that an agent starts to report an event. */
export interface ToldProgram {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text for the program's standard input. */
  readonly input: string;
}

/**
 * Runs a program to its end, or until the signal is aborted. Resolves with the program's output; rejects when the
 * program cannot start.
 */
export async function runProgram({ input, ...program }: ToldProgram, signal: AbortSignal): Promise<string> {
  const child = await openProcess({
    ...program,
    input: true,
    aheadBytes: LIMITS.runAheadBytes,
    onStderr: () => undefined,
    ending: { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs },
  });
  const end = (): void => void child.end();
  signal.addEventListener("abort", end, { once: true });
  try {
    void child.write(input).then(() => child.closeInput());
    const chunks: Uint8Array[] = [];
    for await (const chunk of child.output) chunks.push(chunk);
    await child.exited;
    return Buffer.concat(chunks).toString();
  } finally {
    signal.removeEventListener("abort", end);
    await child.end();
  }
}
