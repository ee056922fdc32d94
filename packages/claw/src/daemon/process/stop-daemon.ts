import { ClawError, LIMITS } from "claw-contract";
import { isRunning, signalTo } from "../../process/index.ts";
import type { DaemonRecord } from "./daemon-record.ts";

const POLL_MS = 20;

/** Sends the signal; false when the process has ended. */
const tellToStop = (record: DaemonRecord): boolean => isRunning(record) && signalTo(record.pid, "SIGTERM");

/** Tells a daemon to stop and waits until it has. Throws DAEMON_FAILED when it does not. */
export async function stopDaemon(record: DaemonRecord, signal: AbortSignal): Promise<void> {
  if (!tellToStop(record)) return;
  const deadline = Date.now() + LIMITS.daemonStopMs;
  while (isRunning(record)) {
    if (Date.now() > deadline) {
      throw new ClawError("DAEMON_FAILED", `process ${record.pid} did not stop in time`, {
        operation: "stop_daemon",
        target: String(record.pid),
        hint: `Read .claws/daemon.log, then end the process: kill -9 ${record.pid}`,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}
