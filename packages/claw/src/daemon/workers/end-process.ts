import { LIMITS } from "@claw/contract";
import { isRunning, signalTo } from "../../process/index.ts";
import type { WorkerLife } from "./worker-lives.ts";
import { readIdentity } from "./worker-process.ts";

const POLL_MS = 20;

const isAlive = ({ folder, bootId }: WorkerLife): boolean => {
  const identity = readIdentity(folder, bootId);
  return identity !== undefined && isRunning(identity);
};

/** Asks a process to end, and kills the process when it takes too long. */
export async function endProcess(life: WorkerLife): Promise<void> {
  const identity = readIdentity(life.folder, life.bootId);
  if (identity === undefined || !isAlive(life)) return;
  signalTo(identity.pid, "SIGTERM");
  const deadline = performance.now() + LIMITS.workerStopMs;
  while (isAlive(life)) {
    if (performance.now() > deadline) signalTo(identity.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
