import { LIMITS } from "claw-contract";
import { fileError } from "../../../files/index.ts";
import type { OpenProcess } from "../../../process/index.ts";
import { openProcess } from "../../../process/index.ts";
import type { BoundedOutput, OutputReport } from "./bounded-output.ts";
import { createBoundedOutput } from "./bounded-output.ts";
import type { Spill } from "./spill.ts";

export interface ShellCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly progress: (text: string) => void;
}

export interface ShellOutcome {
  readonly output: OutputReport;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly isTimedOut: boolean;
}

async function startShell(request: ShellCommand, output: BoundedOutput): Promise<OpenProcess> {
  try {
    return await openProcess({
      argv: request.argv,
      cwd: request.cwd,
      env: request.env,
      input: false,
      aheadBytes: LIMITS.runAheadBytes,
      onStderr: (chunk) => output.push("stderr", chunk),
      ending: { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs },
    });
  } catch (error) {
    output.finish();
    throw fileError(error, "start", request.argv[0]);
  }
}

/**
 * Runs a command until it ends, takes too long or is cancelled. In any case no process of the command is left running.
 * Rejects with the signal's reason when the signal is aborted, and with ClawError when the command cannot be started.
 */
export async function runShell(request: ShellCommand, spill: Spill, signal: AbortSignal): Promise<ShellOutcome> {
  const output = createBoundedOutput({ spill, label: "bash", maxBytes: LIMITS.toolOutputBytes });
  const child = await startShell(request, output);
  let isTimedOut = false;
  const end = (): void => void child.end();
  const timer = setTimeout(() => {
    isTimedOut = true;
    end();
  }, request.timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    for await (const chunk of child.output) {
      output.push("stdout", chunk);
      request.progress(new TextDecoder().decode(chunk.subarray(-PROGRESS_BYTES)));
    }
    const exit = await child.exited;
    await child.end();
    signal.throwIfAborted();
    return { output: output.finish(), ...exit, isTimedOut };
  } catch (error) {
    await child.end();
    output.finish();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

/** How many bytes of each piece of output are reported as progress. */
const PROGRESS_BYTES = 2000;
