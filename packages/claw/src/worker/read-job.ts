import { join } from "node:path";
import type { WorkerJob } from "claw-contract";
import { ClawError, LIMITS, WORKER_FILES } from "claw-contract";
import { readSmallFile } from "../files/index.ts";

/** Reads the job that the daemon wrote for this process. Throws INTERNAL_ERROR when the file is missing. */
export function readJob(folder: string): WorkerJob {
  const path = join(folder, WORKER_FILES.job);
  const file = readSmallFile(path, LIMITS.workerJobBytes);
  if (file.kind === "text") return JSON.parse(file.text) as WorkerJob;
  throw new ClawError("INTERNAL_ERROR", `${path} tells nothing to do`, { operation: "read_job", target: path });
}
