import { LIMITS } from "claw-contract";
import type { OpenProcess } from "../../process/index.ts";
import { createByteTail, openProcess, systemShell } from "../../process/index.ts";
import type { HookEnd } from "./hook-answer.ts";

const HOOK_STDERR_BYTES = 16 * 1024;

export interface HookProcess {
  /** Command line for `/bin/sh`. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Text for the hook's stdin. The hook may end without reading the text. */
  readonly input: string;
}

/** Reads stdout to the end, so that the hook never waits for room in the pipe. Keeps only the beginning. */
async function readStart({ output }: OpenProcess): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of output) {
    const room = LIMITS.hookOutputBytes - size;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    size += chunk.length;
  }
  return Buffer.concat(chunks).toString();
}

async function hookEnd(child: OpenProcess, input: string, stderr: () => string): Promise<HookEnd> {
  void child.write(input).then(() => child.closeInput());
  const stdout = await readStart(child);
  const { exitCode, signal } = await child.exited;
  if (exitCode === null) return { kind: "failed", why: `was ended by ${signal ?? "an unknown cause"}` };
  return { kind: "exited", code: exitCode, stdout, stderr: stderr() };
}

/**
 * Runs the program of a hook to its end, or ends the program when the time is over. No process that the program started
 * is left running. Rejects only with the signal's reason, after all these processes have ended.
 */
export async function runHook(request: HookProcess, signal: AbortSignal): Promise<HookEnd> {
  signal.throwIfAborted();
  const { command, cwd, env, timeoutMs, input } = request;
  const stderr = createByteTail(HOOK_STDERR_BYTES);
  const ending = { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs };
  const rest = {
    input: true,
    aheadBytes: LIMITS.runAheadBytes,
    onStderr: (chunk: Uint8Array) => stderr.push(chunk),
    ending,
  };
  let child: OpenProcess;
  try {
    child = await openProcess({ argv: systemShell.run(command), cwd, env, ...rest });
  } catch (error) {
    return { kind: "failed", why: `did not start: ${(error as NodeJS.ErrnoException).code ?? "unknown"}` };
  }
  let giveUp = (): void => undefined;
  const late = new Promise<HookEnd>((resolve) => {
    giveUp = () => resolve({ kind: "failed", why: `did not end within ${timeoutMs / 1000} s` });
  });
  const timer = setTimeout(giveUp, timeoutMs);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([hookEnd(child, input, () => stderr.text()), late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    await child.end();
    signal.throwIfAborted();
  }
}
