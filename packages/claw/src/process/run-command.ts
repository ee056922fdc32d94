import type { ChildProcessByStdio, spawn as spawnProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { processSignalsFor } from "./system/process-signals.ts";
import { systemShell } from "./system/system-shell.ts";
import { signalTree } from "./tree/process-tree.ts";

export interface CommandRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Variables added to the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** The command's file mode mask; defaults to the mask of this process. */
  readonly umask?: number;
  /** Whether stderr becomes part of the output, in order of arrival. Otherwise stderr is dropped. */
  readonly withStderr?: boolean;
  /** Whether `env` is the command's whole environment. Then no variable of this process is passed on. */
  readonly isolated?: boolean;
  /** An open file to read stdin from. By default stdin is empty. */
  readonly stdin?: number;
  /** An open file to write the output to; the result then contains no output. A command that writes more is killed. */
  readonly file?: { readonly fd: number; readonly maxBytes: number };
}

export type CommandResult =
  | { readonly kind: "exited"; readonly code: number; readonly stdout: string }
  | { readonly kind: "not-started" }
  | { readonly kind: "timed-out" }
  | { readonly kind: "signalled" };

/** The unit in which a shell counts file sizes. */
const BLOCK_BYTES = 512;

/** A command inherits the mask and limits of its parent and can only change them itself, hence the shell around it. */
function argvOf({ argv, umask, file }: CommandRequest): CommandRequest["argv"] {
  const limited: CommandRequest["argv"] =
    file === undefined
      ? argv
      : systemShell.run('ulimit -f "$0" && exec "$@"', String(Math.ceil(file.maxBytes / BLOCK_BYTES)), ...argv);
  return umask === undefined
    ? limited
    : systemShell.run('umask "$0" && exec "$@"', `0${umask.toString(8)}`, ...limited);
}

/** A child never pages, prompts, colours or translates. */
function quietEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _slowsNodeChildren, ...inherited } = process.env;
  return { ...inherited, LC_ALL: "C", NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };
}

type Command = ChildProcessByStdio<null, Readable | null, Readable | null>;

/** Starts the command in a new process group, which can be ended as a whole; Windows has no groups. */
function start(spawn: typeof spawnProcess, request: CommandRequest, hasGroups: boolean): Command {
  const [file, ...args] = argvOf(request);
  return spawn(file, args, {
    cwd: request.cwd,
    env: { ...(request.isolated === true ? {} : quietEnvironment()), ...request.env },
    stdio: [request.stdin ?? "ignore", request.file?.fd ?? "pipe", request.withStderr === true ? "pipe" : "ignore"],
    // On Windows a detached process would open a window.
    detached: hasGroups,
    windowsHide: true,
  }) as Command;
}

function kill(child: Command, hasGroups: boolean): void {
  if (!hasGroups) child.kill();
  else if (child.pid !== undefined) {
    signalTree({ leader: { pid: child.pid, started: null }, mark: null }, "SIGKILL");
  }
}

/** How long output of an ended command may still arrive. */
const PIPE_GRACE_MS = 200;

/**
 * Destroys a pipe after its content has been read. When this process was held up, timers are due before the output that
 * already waits in the pipe is read: the loop reads first, and goes on as long as there is more of it to keep.
 */
function destroyOnceRead(pipe: Readable, keptBytes: () => number, before = -1): void {
  if (keptBytes() === before) pipe.destroy();
  else setImmediate(destroyOnceRead, pipe, keptBytes, keptBytes());
}

/**
 * Runs a short command to the end. Rejects only with PLATFORM_UNSUPPORTED: a mask or a limit of the file needs a shell,
 * which Windows lacks. On timeout or abort, the command is killed together with its children. Output beyond the limit is
 * dropped. Only the command itself is waited for, so a grandchild that keeps the pipe open cannot hold up the caller. On
 * Windows, where there are no groups, children of a killed command stay.
 */
export async function runCommand(
  request: CommandRequest,
  signal: AbortSignal,
  platform: NodeJS.Platform = process.platform,
): Promise<CommandResult> {
  // Loaded late: most calls start no process.
  const { spawn } = await import("node:child_process");
  if (signal.aborted) return { kind: "timed-out" };
  const { hasGroups } = processSignalsFor(platform);
  return new Promise((resolve) => {
    const child = start(spawn, request, hasGroups);
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
      kill(child, hasGroups);
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
      // The command's last output may still be in the pipe; a grandchild may keep the pipe open for ever.
      pipe.once("close", done);
      setTimeout(() => destroyOnceRead(pipe, () => Math.min(size, request.maxOutputBytes)), PIPE_GRACE_MS).unref();
    });
  });
}
