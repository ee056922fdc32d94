import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { closeSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity, WorkerJob } from "claw-contract";
import { ClawError, LIMITS, parseJson, WORKER_FILES, WORKER_GO, WORKER_VARIABLES } from "claw-contract";
import {
  errnoOf,
  nodeFileSystem,
  openOwnFolder,
  openToAppend,
  PRIVATE_FOLDER,
  readSmallFile,
  withFileErrors,
  writeFileAtomically,
} from "../../files/index.ts";
import { identify, isRunning, signalTo } from "../../process/index.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { WorkerProcess } from "../worker-registry/worker-registry.ts";

/** What a worker's process is started with. The process reads all other facts from its job file. */
export type NewProcess = Pick<WorkerJob, "folder" | "peerId" | "name" | "bootId">;

/** A worker's process that waits for permission to begin. */
export interface StartedProcess {
  readonly pid: number;
  /** Lets the process begin. */
  go(): void;
  /** Ends the process before its work begins. */
  forget(): void;
  /** Resolves when the process has ended. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Most peer ids in a row that are skipped because their folder exists already. */
const MOST_PASSED = 1000;

function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Makes the folder of a new worker. An existing folder belongs to a worker of a removed log, or came with the
 * workspace. No new worker uses it, so none continues such work by chance.
 */
export function makeWorkerFolder(claws: string, nextPeerId: () => string): { peerId: string; folder: string } {
  const workers = join(claws, "workers");
  openOwnFolder(workers);
  for (let passed = 0; passed < MOST_PASSED; passed += 1) {
    const peerId = nextPeerId();
    const folder = join(workers, peerId);
    if (withFileErrors("open", folder, () => isMade(folder))) return { peerId, folder };
  }
  throw new ClawError("FILESYSTEM_ERROR", `${workers} is full of folders of other workers`, {
    operation: "open",
    target: workers,
    hint: "Move that folder away, then call again.",
  });
}

export function writeJob(folder: string, job: WorkerJob): void {
  const path = join(folder, WORKER_FILES.job);
  withFileErrors("save", path, () => writeFileAtomically(nodeFileSystem, path, `${JSON.stringify(job)}\n`));
}

function readJson(path: string, maxBytes: number): unknown {
  const file = readSmallFile(path, maxBytes);
  // A file that is cut off, or that another program wrote, counts as none.
  return file.kind === "text" ? parseJson(file.text) : undefined;
}

export const readJobOf = (folder: string): WorkerJob | undefined =>
  readJson(join(folder, WORKER_FILES.job), LIMITS.workerJobBytes) as WorkerJob | undefined;

/** The process of a worker's life; undefined when no file names it. */
export function readIdentity(folder: string, bootId: string): ProcessIdentity | undefined {
  const read = readJson(join(folder, WORKER_FILES.process), LIMITS.settingsBytes);
  const identity = read as (ProcessIdentity & { readonly bootId: string }) | undefined;
  return identity?.bootId === bootId ? identity : undefined;
}

/** Whether the process of a worker's life runs. */
export function isAlive({ folder, bootId }: WorkerProcess): boolean {
  const identity = readIdentity(folder, bootId);
  return identity !== undefined && isRunning(identity);
}

/** The environment of a worker's process, without variables that slow its start. The worker's agent gets them back. */
function environmentOf(env: NodeJS.ProcessEnv, { peerId, bootId }: NewProcess): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _slow, NODE_OPTIONS: _flags, ...kept } = env;
  return { ...kept, [WORKER_VARIABLES.id]: peerId, [WORKER_VARIABLES.life]: bootId };
}

function spawnProcess(life: NewProcess, { part, env, cwd }: SuperviseOptions): ChildProcess {
  const { folder } = life;
  const fd = openToAppend(join(folder, WORKER_FILES.log));
  try {
    const [file, ...args] = part("worker");
    // The process gets a new session, so a signal to the daemon's process group does not reach the worker.
    return spawn(file, [...args, folder], {
      cwd,
      env: environmentOf(env, life),
      detached: true,
      stdio: ["pipe", fd, fd],
    });
  } finally {
    closeSync(fd);
  }
}

/**
 * Starts a worker's process, which waits for `go`. Rejects with WORKER_FAILED or a file error when the process does not
 * start.
 */
export async function startProcess(life: NewProcess, options: SuperviseOptions): Promise<StartedProcess> {
  const { folder, name, bootId } = life;
  const child = spawnProcess(life, options);
  const exited = new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(
        new ClawError("WORKER_FAILED", "the worker's process did not start", {
          operation: "spawn_worker",
          target: name,
          cause,
        }),
      ),
    );
  });
  // The exit event reports a process that ends before it reads its permission to begin.
  child.stdin?.on("error", () => child.stdin?.destroy());
  child.unref();
  const pid = child.pid ?? 0;
  const identity = { ...identify(pid), bootId };
  const path = join(folder, WORKER_FILES.process);
  const forget = (): void => void child.stdin?.end();
  try {
    // After a power cut the process is gone, so the file's name need not be on the disk.
    withFileErrors("save", path, () =>
      writeFileAtomically(nodeFileSystem, path, `${JSON.stringify(identity)}\n`, { syncName: false }),
    );
  } catch (error) {
    // No file names the process, and it would wait as long as the daemon lives.
    forget();
    throw error;
  }
  return { pid, exited, go: () => void child.stdin?.end(WORKER_GO), forget };
}

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
