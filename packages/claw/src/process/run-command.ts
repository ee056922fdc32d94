import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { signalTree } from "./tree/process-tree.ts";

export interface CommandRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Variables besides those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** What it makes files with, instead of the mask of this process. */
  readonly umask?: number;
  /** Whether what it writes to stderr is part of its output, as it comes; it is dropped otherwise. */
  readonly withStderr?: boolean;
  /** Whether `env` is all of its environment, so that nothing of this process is handed on. */
  readonly isolated?: boolean;
  /** An open file that it reads from. It has nothing to read otherwise. */
  readonly stdin?: number;
  /** An open file that its output goes to, which then is no part of the result. It is killed when it writes more. */
  readonly file?: { readonly fd: number; readonly maxBytes: number };
}

export type CommandResult =
  | { readonly kind: "exited"; readonly code: number; readonly stdout: string }
  | { readonly kind: "not-started" }
  | { readonly kind: "timed-out" }
  | { readonly kind: "signalled" };

/** What a shell counts the size of files in. */
const BLOCK_BYTES = 512;

/** A command is started with the mask and the limits of its starter; only it can take others. */
function argvOf({ argv, umask, file }: CommandRequest): CommandRequest["argv"] {
  const limited: CommandRequest["argv"] =
    file === undefined
      ? argv
      : ["/bin/sh", "-c", 'ulimit -f "$0" && exec "$@"', String(Math.ceil(file.maxBytes / BLOCK_BYTES)), ...argv];
  return umask === undefined
    ? limited
    : ["/bin/sh", "-c", 'umask "$0" && exec "$@"', `0${umask.toString(8)}`, ...limited];
}

/** A child never pages, prompts, colours or translates. */
function quietEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _slowsNodeChildren, ...inherited } = process.env;
  return { ...inherited, LC_ALL: "C", NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };
}

/**
 * Runs a short command to its end and never rejects. It is killed on timeout or abort with what it started; output
 * beyond the limit is dropped. Nothing is waited for but the command itself, so a grandchild that keeps the
 * pipe open cannot hold the caller.
 */
export async function runCommand(request: CommandRequest, signal: AbortSignal): Promise<CommandResult> {
  if (signal.aborted) return { kind: "timed-out" };
  // Loaded late: most calls start no process.
  const { spawn } = await import("node:child_process");
  return new Promise((resolve) => {
    const [file, ...args] = argvOf(request);
    const child = spawn(file, args, {
      cwd: request.cwd,
      env: { ...(request.isolated === true ? {} : quietEnvironment()), ...request.env },
      stdio: [request.stdin ?? "ignore", request.file?.fd ?? "pipe", request.withStderr === true ? "pipe" : "ignore"],
      detached: true,
    }) as ChildProcessByStdio<null, Readable | null, Readable | null>;
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: CommandResult): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(result);
    };
    const end = (): void => {
      if (child.pid !== undefined) signalTree({ leader: { pid: child.pid, started: null }, mark: null }, "SIGKILL");
      finish({ kind: "timed-out" });
    };
    const timer = setTimeout(end, request.timeoutMs);
    signal.addEventListener("abort", end, { once: true });
    const keep = (chunk: Buffer): void => {
      if (size < request.maxOutputBytes) chunks.push(chunk.subarray(0, request.maxOutputBytes - size));
      size += chunk.length;
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.on("error", () => finish({ kind: "not-started" }));
    child.on("exit", (code) => {
      if (code === null) return finish({ kind: "signalled" });
      const done = (): void => finish({ kind: "exited", code, stdout: Buffer.concat(chunks).toString() });
      const pipe = child.stdout ?? child.stderr;
      if (pipe === null || pipe.closed) return done();
      // What the command wrote may still be in the pipe; a grandchild may keep that open for ever.
      pipe.once("close", done);
      setTimeout(() => pipe.destroy(), PIPE_GRACE_MS).unref();
    });
  });
}

/** How long output of an ended command may still arrive. */
const PIPE_GRACE_MS = 200;
