import { dirname } from "node:path";
import type { Redactor } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { CheckResult } from "claw-contract/schemas";
import { nodeFileSystem, openOwnFolder, writeFileAtomically } from "../../../files/index.ts";
import type { OpenProcess } from "../../../process/index.ts";
import { createByteTail, openProcess, systemShell } from "../../../process/index.ts";

/** Bytes of the output's end in the event. */
const CHECK_TAIL_BYTES = 4 * 1024;

export interface CheckRequest {
  /** Command line for a shell. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File for the check's output. */
  readonly path: string;
  readonly redactor: Redactor;
  /** Umask of the check; the umask of the daemon when undefined. */
  readonly umask?: number | undefined;
  readonly timeoutMs?: number;
}

type Ending = { readonly code: number | null; readonly why: string };

interface Kept {
  readonly chunks: Uint8Array[];
  size: number;
}

/** Reads the output to its end, so that the check never waits for room in a pipe. */
async function collectOutput(child: OpenProcess, kept: Kept, push: (chunk: Uint8Array) => void): Promise<Ending> {
  for await (const chunk of child.output) {
    const room = LIMITS.checkOutputBytes - kept.size;
    if (room > 0) kept.chunks.push(chunk.subarray(0, room));
    kept.size += chunk.length;
    push(chunk);
  }
  const { exitCode, signal } = await child.exited;
  return { code: exitCode, why: exitCode === null ? `ended by ${signal ?? "an unknown cause"}` : "" };
}

/** Waits for the check's end, the timeout or the daemon's end, and then ends every process that the check started. */
async function endOf(
  child: OpenProcess,
  work: Promise<Ending>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Ending> {
  let giveUp = (_why: string): void => undefined;
  const late = new Promise<Ending>((resolve) => (giveUp = (why) => resolve({ code: null, why })));
  const timer = setTimeout(() => giveUp(`did not end within ${timeoutMs / 1000} s`), timeoutMs);
  const stop = (): void => giveUp("was interrupted");
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await child.end();
  }
}

function keepOutput({ path, redactor }: CheckRequest, kept: Kept): string | null {
  const left = kept.size - LIMITS.checkOutputBytes;
  const note = left > 0 ? `\n… (${left} more bytes)\n` : "";
  const text = redactor.redactText(Buffer.concat(kept.chunks).toString()) + note;
  try {
    openOwnFolder(dirname(path));
    writeFileAtomically(nodeFileSystem, path, text);
    return path;
  } catch {
    // The result counts without an output file: then `output_path` is null.
    return null;
  }
}

/**
 * Runs a check to its end, or ends the check after the timeout. Rejects only with the signal's reason, after the check
 * has ended.
 */
export async function runWorkCheck(request: CheckRequest, signal: AbortSignal): Promise<CheckResult> {
  const { command, cwd, env, redactor, umask, timeoutMs = LIMITS.checkMs } = request;
  const started = performance.now();
  const tail = createByteTail(CHECK_TAIL_BYTES);
  const kept: Kept = { chunks: [], size: 0 };
  const push = (chunk: Uint8Array): void => tail.push(chunk);
  const ending = { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs };
  const rest = { input: false, aheadBytes: LIMITS.runAheadBytes, onStderr: push, ending };
  let end: Ending;
  try {
    const mask = umask === undefined ? "" : `umask 0${umask.toString(8)}\n`;
    const child = await openProcess({ argv: systemShell.run(`exec 2>&1\n${mask}${command}`), cwd, env, ...rest });
    end = await endOf(child, collectOutput(child, kept, push), timeoutMs, signal);
  } catch (error) {
    end = { code: null, why: `did not start: ${(error as NodeJS.ErrnoException).code ?? "unknown"}` };
  }
  signal.throwIfAborted();
  const text = redactor.redactText(tail.text());
  return {
    command: redactor.redactText(command),
    passed: end.code === 0,
    exit_code: end.code,
    duration_ms: Math.round(performance.now() - started),
    output_tail: end.why === "" ? text : `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}(${end.why})`,
    output_path: keepOutput(request, kept),
  };
}
