import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HarnessId, VerbOutput, WorkerJob } from "claw-contract";
import { createLineFramer, HARNESS_IDS, LIMITS, WORKER_FILES, parseObject } from "claw-contract";
import { readJsonFile, withFileErrors, readSmallFile, unlessRefused } from "../../../files/index.ts";
import type { Ports } from "../../runtime/handle.ts";

/** Where the daemon keeps what belongs to the working folder. */
export const clawsFolder = ({ cwd }: Ports): string => join(cwd, ".claws");

type Transcript = VerbOutput<"logs">["transcript"];

const READ_BYTES = 64 * 1024;

/** Peer ids are made by the daemon; nothing else is a folder of a worker. */
const isPeerId = (id: string): boolean => /^\w{1,64}$/.test(id);

/** The job in a worker's folder. A folder whose job cannot be read is found by its id alone. */
const jobIn = (folder: string): Partial<WorkerJob> =>
  readJsonFile<WorkerJob>(join(folder, WORKER_FILES.job), LIMITS.workerJobBytes) ?? {};

export interface WorkerFolder {
  readonly id: string;
  readonly folder: string;
}

/** The agent of a worker, from its job; undefined when that cannot be read. */
export function harnessIn(folder: string): HarnessId | undefined {
  const { harness } = jobIn(folder);
  return HARNESS_IDS.find((id) => id === harness);
}

/** The folder of a worker, by its id or its name; undefined when there is none. */
export function findWorkerFolder(id: string, ports: Ports): WorkerFolder | undefined {
  const workers = join(clawsFolder(ports), "workers");
  return unlessRefused(() => {
    const ids = readdirSync(workers).filter(isPeerId).toSorted();
    const found = ids.find((each) => each === id) ?? ids.findLast((each) => jobIn(join(workers, each)).name === id);
    return found === undefined ? undefined : { id: found, folder: join(workers, found) };
  });
}

/** Pieces of a file from a position on; none when it is not there. */
export function* piecesOf({ files }: Ports, path: string, from: number): Generator<Uint8Array> {
  if (readSmallFile(path, 0).kind === "absent") return;
  const fd = withFileErrors("read", path, () => files.openSync(path, "r"));
  try {
    for (let at = from; ;) {
      const bytes = new Uint8Array(READ_BYTES);
      const length = withFileErrors("read", path, () => files.readSync(fd, bytes, 0, READ_BYTES, at));
      if (length === 0) return;
      yield bytes.subarray(0, length);
      at += length;
    }
  } finally {
    files.closeSync(fd);
  }
}

const TAIL_BYTES = 16 * 1024;

/** The last lines of what a worker's own process had to say. */
export function lastLogLines(ports: Ports, folder: string, lines: number): string[] {
  const path = join(folder, WORKER_FILES.log);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const pieces = [...piecesOf(ports, path, Math.max(0, size - TAIL_BYTES))];
  return Buffer.concat(pieces).toString("utf8").trimEnd().split("\n").slice(-lines);
}

/** Counts the lines of the agent's stream by type. */
export async function summariseTranscript(
  path: string | null,
  pieces: () => AsyncIterable<Uint8Array>,
): Promise<Transcript> {
  if (path === null) return null;
  const framer = createLineFramer({ maxLineBytes: LIMITS.runLineBytes });
  const types: Record<string, number> = {};
  let lines = 0;
  for await (const piece of pieces()) {
    for (const line of framer.push(piece)) {
      lines += 1;
      const type = line.kind === "line" ? typeOf(line.bytes) : "unknown";
      types[type] = (types[type] ?? 0) + 1;
    }
  }
  return { path, lines, types };
}

function typeOf(bytes: Uint8Array): string {
  const { type } = parseObject(Buffer.from(bytes).toString("utf8")) ?? {};
  return typeof type === "string" ? type.slice(0, 64) : "unknown";
}
