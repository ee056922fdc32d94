import { spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { ClawError, LIMITS } from "@claw/contract";
import { PRIVATE_FILE, PRIVATE_FOLDER, nodeFileSystem, readSmallFile, withFileErrors } from "../files/index.ts";
import type { DaemonRecord } from "./daemon-record.ts";
import { findDaemon } from "./daemon-record.ts";
import { workspaceFiles } from "./workspace-files.ts";

export interface SpawnRequest {
  readonly cwd: string;
  /** Command that is the daemon itself. */
  readonly argv: readonly [string, ...string[]];
}

const POLL_MS = 20;

/** What the daemon said last before it ended. */
function lastWords(path: string): string {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  return file.kind === "text" ? (file.text.trim().split("\n").at(-1) ?? "") : "";
}

/** Starts a daemon that outlives the caller, and resolves once it lets clients in. */
export async function spawnDaemon({ cwd, argv }: SpawnRequest, signal: AbortSignal): Promise<DaemonRecord> {
  const files = workspaceFiles(cwd);
  withFileErrors("create", files.folder, () =>
    nodeFileSystem.mkdirSync(files.folder, { recursive: true, mode: PRIVATE_FOLDER }),
  );
  const output = `${files.report}.start`;
  const fd = withFileErrors("open", output, () =>
    openSync(output, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, PRIVATE_FILE),
  );
  const [file, ...args] = argv;
  const child = spawn(file, args, { cwd, detached: true, stdio: ["ignore", fd, fd] });
  closeSync(fd);
  let ended = false;
  child.on("exit", () => (ended = true));
  child.on("error", () => (ended = true));
  child.unref();
  const deadline = Date.now() + LIMITS.daemonStartMs;
  for (;;) {
    const record = findDaemon(cwd);
    if (record !== undefined && record.pid === child.pid) return record;
    if (ended || Date.now() > deadline) throw failed(cwd, ended ? lastWords(output) : "it did not answer in time");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

function failed(cwd: string, why: string): ClawError {
  return new ClawError("DAEMON_FAILED", `the daemon did not start: ${why.slice(0, 500)}`, {
    operation: "start_daemon",
    target: cwd,
  });
}
