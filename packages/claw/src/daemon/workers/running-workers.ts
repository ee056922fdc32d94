import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity, WorkerJob } from "claw-contract";
import { LIMITS, WORKER_FILES } from "claw-contract";
import { readSmallFile } from "../../files/index.ts";
import { isRunning } from "../../process/index.ts";
import { isOwnFile } from "../process/own-folder.ts";
import { workspaceFiles } from "../process/workspace-files.ts";

/** A worker whose process runs, with a daemon or without. */
export interface WorkerWithProcess {
  readonly peer_id: string;
  readonly name: string;
  readonly pid: number;
}

function readJson<Value>(path: string, maxBytes: number): Partial<Value> {
  const file = readSmallFile(path, maxBytes);
  try {
    return file.kind === "text" ? (JSON.parse(file.text) as Partial<Value>) : {};
  } catch {
    // The file is cut off, or another program wrote the file.
    return {};
  }
}

function lookAt(folder: string): WorkerWithProcess | undefined {
  const path = join(folder, WORKER_FILES.process);
  if (!isOwnFile(folder, path)) return undefined;
  const identity = readJson<ProcessIdentity>(path, LIMITS.settingsBytes);
  if (typeof identity.pid !== "number" || !isRunning(identity as ProcessIdentity)) return undefined;
  const { peerId, name } = readJson<WorkerJob>(join(folder, WORKER_FILES.job), LIMITS.workerJobBytes);
  return peerId === undefined ? undefined : { peer_id: peerId, name: name ?? peerId, pid: identity.pid };
}

/** The workers of a workspace whose processes run, according to the files in the workers' folders. */
export function runningWorkers(cwd: string): WorkerWithProcess[] {
  const folder = join(workspaceFiles(cwd).folder, "workers");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => lookAt(join(folder, name)) ?? []);
}
