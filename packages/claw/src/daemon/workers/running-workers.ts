import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity, WorkerJob } from "claw-contract";
import { LIMITS, WORKER_FILES } from "claw-contract";
import { readJsonFile } from "../../files/index.ts";
import { isRunning } from "../../process/index.ts";
import { isOwnFile } from "../process/own-folder.ts";
import { workspaceFiles } from "../process/workspace-files.ts";

/** A worker whose process runs, with a daemon or without. */
export interface WorkerWithProcess {
  readonly peer_id: string;
  readonly name: string;
  readonly pid: number;
}

function lookAt(folder: string): WorkerWithProcess | undefined {
  const path = join(folder, WORKER_FILES.process);
  if (!isOwnFile(folder, path)) return undefined;
  const identity = readJsonFile<ProcessIdentity>(path, LIMITS.settingsBytes);
  if (typeof identity?.pid !== "number" || !isRunning(identity as ProcessIdentity)) return undefined;
  const { peerId, name } = readJsonFile<WorkerJob>(join(folder, WORKER_FILES.job), LIMITS.workerJobBytes) ?? {};
  return peerId === undefined ? undefined : { peer_id: peerId, name: name ?? peerId, pid: identity.pid };
}

/** The workers of a workspace whose processes run, according to the files in the workers' folders. */
export function runningWorkers(cwd: string): WorkerWithProcess[] {
  const folder = join(workspaceFiles(cwd).folder, "workers");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => lookAt(join(folder, name)) ?? []);
}
