import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StateSource, WorkerView } from "@claw/contract";
import { ClawError, ENDED_STATES, LIMITS, WORKER_FILES } from "@claw/contract";
import { readSmallFile } from "../files/index.ts";
import type { ProcessIdentity } from "../process/index.ts";
import { isRunning } from "../process/index.ts";
import type { Ports } from "./handle.ts";
import { openObserver } from "./open-bus.ts";
import type { OutputPiece } from "./terminal-output.ts";
import type { WorkerFolder } from "./worker-log.ts";
import { piecesOf } from "./worker-log.ts";

export interface WorkerOutputOptions {
  readonly worker: WorkerFolder;
  readonly from: number;
  /** Whether to go on with what comes, until the worker has ended. */
  readonly follow: boolean;
}

/** How often a file is looked at that somebody follows. */
const LOOK_MS = 150;

/** Whether the process that was written down last runs. Its folder says so, with a daemon or without. */
function hasProcess(folder: string): boolean {
  const file = readSmallFile(join(folder, WORKER_FILES.process), LIMITS.settingsBytes);
  try {
    return file.kind === "text" && isRunning(JSON.parse(file.text) as ProcessIdentity);
  } catch {
    // Nobody's file.
    return false;
  }
}

/** Whose word it is that the work is over. Everybody else only found it dead. */
const OWN_WORD: ReadonlySet<StateSource> = new Set(["self", "stream", "hook"]);

const hasSaidAll = ({ state, source }: WorkerView): boolean =>
  state === "finished" || (ENDED_STATES.has(state) && OWN_WORD.has(source));

/** Whether somebody may start it again: a daemon that does not know how its work ended. */
async function mayReturn({ id }: WorkerFolder, ports: Ports): Promise<boolean> {
  try {
    const bus = await openObserver(ports);
    try {
      const { workers } = await bus.request("worker.list");
      const found = (workers as readonly WorkerView[]).find(({ peer_id: peerId }) => peerId === id);
      return found !== undefined && !hasSaidAll(found);
    } finally {
      await bus.close();
    }
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    // Without a daemon nobody starts it.
    return false;
  }
}

/** Resolves with whether the worker runs; one that crashed is given time to be started anew. */
async function goesOn(worker: WorkerFolder, ports: Ports): Promise<boolean> {
  if (hasProcess(worker.folder)) return true;
  if (!(await mayReturn(worker, ports))) return false;
  for (const end = performance.now() + LIMITS.logReturnMs; performance.now() < end && !ports.signal.aborted;) {
    if (hasProcess(worker.folder)) return true;
    await delay(LOOK_MS, undefined, { signal: ports.signal }).catch(() => undefined);
  }
  return false;
}

/** What a worker without a terminal has printed, and what it prints. Rejects with the signal's reason. */
export async function* workerOutput(
  { worker, from, follow }: WorkerOutputOptions,
  ports: Ports,
): AsyncGenerator<OutputPiece> {
  const path = join(worker.folder, WORKER_FILES.log);
  for (let offset = from; ;) {
    // Asked before the file is read: what a worker printed before it ended is in it by then.
    const isOn = follow && (await goesOn(worker, ports));
    for (const bytes of piecesOf(ports, path, offset)) {
      yield { offset, bytes };
      offset += bytes.length;
    }
    ports.signal.throwIfAborted();
    if (!isOn) return;
    await delay(LOOK_MS, undefined, { signal: ports.signal }).catch(() => undefined);
  }
}
