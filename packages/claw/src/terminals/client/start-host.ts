import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { join } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import { openToAppend, readSmallFile, socketPathBytes } from "../../files/index.ts";
import type { RunningHost } from "../storage/host-record.ts";
import { findHost, HOST_LOG } from "../storage/host-record.ts";

export interface StartHostOptions {
  /** `.claws`. */
  readonly folder: string;
  /** The command that starts the host. */
  readonly argv: readonly [string, ...string[]];
  /** The daemon's socket. The host's socket goes beside it when a path in `folder` would be too long. */
  readonly daemonSocket: string;
  readonly env: NodeJS.ProcessEnv;
}

const POLL_MS = 20;

const startError = (message: string, target: string): ClawError =>
  new ClawError("TERMINAL_HOST_FAILED", message, { operation: "start_terminal_host", target });

/**
 * Where the host of a folder listens. A socket has a temporary name first, which is never longer than its final name.
 * Throws TERMINAL_HOST_FAILED when no path is short enough.
 */
export function hostSocket(folder: string, daemonSocket: string): string {
  const path = [join(folder, "terminals.sock"), `${daemonSocket}.terminals`].find(
    (candidate) => Buffer.byteLength(candidate) <= socketPathBytes(),
  );
  if (path !== undefined) return path;
  throw startError(`${folder} is too long a path for a socket; start the daemon with a shorter --socket`, folder);
}

/** The last line of the host's log. */
function lastWords(path: string): string {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  return file.kind === "text" ? (file.text.trim().split("\n").at(-1) ?? "").slice(0, 500) : "";
}

/**
 * Starts a terminal host that outlives this process, unless a host already runs. Resolves when the host accepts
 * clients.
 */
export async function startHost({ folder, argv, daemonSocket, env }: StartHostOptions): Promise<RunningHost> {
  const running = findHost(folder);
  if (running !== undefined) return running;
  const socket = hostSocket(folder, daemonSocket);
  const log = join(folder, HOST_LOG);
  const fd = openToAppend(log);
  const [file, ...args] = argv;
  const child = spawn(file, [...args, folder, socket], { cwd: folder, env, detached: true, stdio: ["ignore", fd, fd] });
  closeSync(fd);
  child.unref();
  let ended = false;
  child.on("exit", () => (ended = true));
  child.on("error", () => (ended = true));
  for (const deadline = Date.now() + LIMITS.terminalHostStartMs; ;) {
    const record = findHost(folder);
    if (record !== undefined && record.pid === child.pid) return record;
    if (ended) throw startError(`the terminal host did not start: ${lastWords(log)}`, folder);
    if (Date.now() > deadline) {
      child.kill();
      throw startError("the terminal host did not start in time", folder);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
