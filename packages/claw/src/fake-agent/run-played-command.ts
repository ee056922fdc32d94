import { LIMITS } from "claw-contract";
import { runCommand, systemShell } from "../process/index.ts";
import type { Known } from "./fill-text.ts";

interface RunnableStep {
  readonly runs?: string | undefined;
  readonly output: string;
}

/**
 * Runs the command of a step and returns the step with the command's output. A step without a command stays unchanged.
 */
export async function runPlayedCommand<S extends RunnableStep>(
  step: S,
  { known, signal }: { readonly known: Known; readonly signal: AbortSignal },
): Promise<S> {
  if (step.runs === undefined) return step;
  const limits = { timeoutMs: LIMITS.bashTimeoutMs, maxOutputBytes: LIMITS.toolOutputBytes };
  const argv = systemShell.run(`exec 2>&1\n${step.runs}`);
  const ended = await runCommand({ argv, cwd: known.cwd, ...limits }, signal);
  if (ended.kind !== "exited") return { ...step, output: "The command did not end by itself.", failed: true };
  return { ...step, output: ended.stdout, failed: ended.code !== 0 };
}
