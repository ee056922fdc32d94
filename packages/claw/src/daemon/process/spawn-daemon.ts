import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { appendFileSync, closeSync, constants, openSync, readdirSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { ErrorCode } from "claw-contract";
import { ClawError, ERROR_CODES, LIMITS, WORKER_VARIABLES } from "claw-contract";
import { PRIVATE_FILE, randomSuffix, readSmallFile, withFileErrors } from "../../files/index.ts";
import { isRunning, unmarkedEnvironment } from "../../process/index.ts";
import type { DaemonRecord } from "./daemon-record.ts";
import { findDaemon } from "./daemon-record.ts";
import { openFolder } from "./own-folder.ts";
import { workspaceFiles } from "./workspace-files.ts";

export interface DaemonStart {
  readonly cwd: string;
  /** Command line of the daemon process. */
  readonly argv: readonly [string, ...string[]];
  /** Environment for the daemon; the environment of the calling process when undefined. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A daemon belongs to its folder, not to the run or the worker whose agent happened to start it. */
function serviceEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [WORKER_VARIABLES.life]: _life, ...rest } = unmarkedEnvironment(env);
  return rest;
}

const POLL_MS = 20;

interface LastWords {
  readonly message: string;
  readonly error?: { readonly code: ErrorCode; readonly target: string; readonly hint: string };
}

/** The last line the daemon printed before its end: an error answer of claw, or text of Node or the system. */
function lastWords(path: string): LastWords {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  const message = file.kind === "text" ? (file.text.trim().split("\n").at(-1) ?? "") : "";
  // A full disk leaves the output empty. Then this write fails for the same reason.
  if (message === "") withFileErrors("write", path, () => appendFileSync(path, "\n"));
  try {
    const { error } = JSON.parse(message) as { error: NonNullable<LastWords["error"]> & { message: string } };
    return ERROR_CODES.includes(error.code) ? { message: error.message, error } : { message };
  } catch {
    // A process that fails before claw can answer prints text of Node, or no text.
    return { message };
  }
}

/** Removes the output files that interrupted starts left behind. */
function removeLeftOvers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^daemon\.log\.(\d+)-\w+\.start$/.exec(name) ?? [];
    const starter = { pid: Number(pid), started: null, boot: null, host: hostname() };
    if (pid !== undefined && !isRunning(starter)) rmSync(join(folder, name), { force: true });
  }
}

/** Starts a daemon that outlives the caller, and resolves once it lets clients in. */
export async function spawnDaemon(
  { cwd, argv, env = process.env }: DaemonStart,
  signal: AbortSignal,
): Promise<DaemonRecord> {
  const files = workspaceFiles(cwd);
  openFolder(files);
  withFileErrors("open", files.folder, () => removeLeftOvers(files.folder));
  // Each start writes to a separate file, because only one of several concurrent starts becomes the daemon.
  const output = `${files.report}.${process.pid}-${randomSuffix()}.start`;
  const fd = withFileErrors("open", output, () =>
    openSync(output, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, PRIVATE_FILE),
  );
  const [file, ...args] = argv;
  const child = spawn(file, args, { cwd, env: serviceEnvironment(env), detached: true, stdio: ["ignore", fd, fd] });
  closeSync(fd);
  child.unref();
  try {
    const record = await whenUp(cwd, child, output, signal);
    renameSync(output, `${files.report}.start`);
    return record;
  } catch (error) {
    child.kill();
    unlinkSync(output);
    throw error;
  }
}

async function whenUp(cwd: string, child: ChildProcess, output: string, signal: AbortSignal): Promise<DaemonRecord> {
  let ended = false;
  child.on("exit", () => (ended = true));
  child.on("error", () => (ended = true));
  const deadline = Date.now() + LIMITS.daemonStartMs;
  for (;;) {
    const record = findDaemon(cwd);
    if (record !== undefined && record.pid === child.pid) return record;
    if (ended) throw startError(cwd, lastWords(output));
    if (Date.now() > deadline) throw startError(cwd, { message: "it did not answer in time" });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

/** The daemon's own error as it is; DAEMON_FAILED when it named none. */
function startError(cwd: string, { message, error }: LastWords): ClawError {
  const operation = "start_daemon";
  if (error !== undefined) {
    return new ClawError(error.code, message, { operation, target: error.target, hint: error.hint });
  }
  return new ClawError("DAEMON_FAILED", `the daemon did not start: ${message.slice(0, 500)}`, {
    operation,
    target: cwd,
  });
}
