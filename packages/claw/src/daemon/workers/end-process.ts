import { LIMITS } from "@claw/contract";
import { signalTo } from "../../process/index.ts";
import type { WorkerProcess } from "../worker-registry/worker-registry.ts";
import { isAlive, readIdentity } from "./worker-process.ts";

const POLL_MS = 20;

/** Asks a process to end, and kills the process when it takes too long. */
export async function endProcess(process: WorkerProcess): Promise<void> {
  const identity = readIdentity(process.folder, process.bootId);
  if (identity === undefined || !isAlive(process)) return;
  signalTo(identity.pid, "SIGTERM");
  const deadline = performance.now() + LIMITS.workerStopMs;
  while (isAlive(process)) {
    if (performance.now() > deadline) signalTo(identity.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
