import { ClawError, LIMITS } from "claw-contract";
import type { FileLock } from "../../files/index.ts";
import { acquireLock, nodeFileSystem } from "../../files/index.ts";
import { findDaemon } from "./daemon-record.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** The error of a folder that another process holds. */
export const isRunning = (cwd: string, pid: number | undefined): ClawError =>
  new ClawError("DAEMON_RUNNING", `process ${pid ?? "?"} is the daemon of this folder`, {
    operation: "start_daemon",
    target: cwd,
    details: { pid: pid ?? null },
  });

/**
 * Takes a workspace for this process alone. Processes that try at the same moment step back from each other and try
 * again until one is the daemon; then the others are refused.
 */
export async function takeWorkspace(
  cwd: string,
  { lock: path }: WorkspaceFiles,
  signal: AbortSignal,
): Promise<FileLock> {
  const deadline = Date.now() + LIMITS.lockWaitMs;
  for (;;) {
    const attempt = await acquireLock(nodeFileSystem, { path, waitMs: LIMITS.lockPollMs }, signal);
    if (attempt.kind === "acquired") return attempt.lock;
    const daemon = findDaemon(cwd);
    if (daemon !== undefined) throw isRunning(cwd, daemon.pid);
    if (Date.now() > deadline) throw isRunning(cwd, attempt.owner?.pid);
  }
}
