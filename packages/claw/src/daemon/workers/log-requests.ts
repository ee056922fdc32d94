import { constants, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessIdentity, ReadRequest, ReplyFields } from "claw-contract";
import { createRedactor, environmentSecrets, LIMITS, nonEmptyText, WORKER_FILES } from "claw-contract";
import type { RequestHandler, RequestOutcome } from "../../bus/index.ts";
import { error, handlePeers, ok } from "../../bus/index.ts";
import { errnoOf, readJsonFile } from "../../files/index.ts";
import { isRunning } from "../../process/index.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { RegisteredWorker, WorkerRegistry } from "../worker-registry/worker-registry.ts";

type Asked = ReadRequest<"worker.log">;
type Log = ReplyFields<"worker.log">;
type Options = Pick<SuperviseOptions, "env" | "lifetime">;

const PIECE_BYTES = 256 * 1024;
/** How often a file is checked for more. */
const LOOK_MS = 100;
const LAST_LINES = 10;
const TAIL_CHARS = 16 * 1024;

const NOWHERE = { source: "none", harness: null, data: "", path: null, processLog: null, lastWords: [] } as const;

/** Bytes of a regular file from an offset on; null without a file. */
async function bytesAt(path: string, offset: number): Promise<Buffer | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (failure) {
    if (errnoOf(failure) === "ENOENT") return null;
    throw failure;
  }
}

/** Whether the last recorded process of a worker runs. */
function hasProcess(folder: string): boolean {
  const identity = readJsonFile<ProcessIdentity>(join(folder, WORKER_FILES.process), LIMITS.settingsBytes);
  return identity !== undefined && isRunning(identity as ProcessIdentity);
}

function lastWords(path: string, env: NodeJS.ProcessEnv): string[] {
  try {
    const { redactText } = createRedactor({ secrets: environmentSecrets(env) });
    return redactText(readFileSync(path, "utf8").slice(-TAIL_CHARS)).trimEnd().split("\n").slice(-LAST_LINES);
  } catch {
    // A worker whose process printed nothing has no log file.
    return [];
  }
}

interface Looked {
  readonly bytes: Buffer | null;
  readonly running: boolean;
}

/** Looks for more until there is some, the worker's process has ended, or the time is over. */
async function whenMore(folder: string, { offset, waitMs = 0 }: Asked, { lifetime }: Options): Promise<Looked> {
  const until = performance.now() + waitMs;
  for (;;) {
    // Asked before the file is read: what a worker printed before it ended is in it by then.
    const running = hasProcess(folder);
    const bytes = await bytesAt(join(folder, WORKER_FILES.transcript), offset);
    const isMore = bytes !== null && bytes.length > 0;
    if (isMore || !running || performance.now() >= until || lifetime.signal.aborted) return { bytes, running };
    await delay(LOOK_MS, undefined, { signal: lifetime.signal }).catch(() => undefined);
  }
}

async function readLog({ peerId, name, spawned }: RegisteredWorker, asked: Asked, options: Options): Promise<Log> {
  const folder = nonEmptyText(spawned?.folder);
  if (spawned === null || folder === undefined) {
    return { peerId, name, ...NOWHERE, lastWords: [], next: asked.offset, running: false };
  }
  const { bytes, running } = await whenMore(folder, asked, options);
  const processLog = join(folder, WORKER_FILES.log);
  const read = bytes?.length ?? 0;
  return {
    peerId,
    name,
    source: "transcript",
    harness: spawned.harness,
    data: bytes?.toString("base64") ?? "",
    next: asked.offset + read,
    running,
    path: bytes === null ? null : join(folder, WORKER_FILES.transcript),
    processLog,
    lastWords: running || read > 0 ? [] : lastWords(processLog, options.env),
  };
}

async function outcomeFor(worker: RegisteredWorker, asked: Asked, options: Options): Promise<RequestOutcome<Log>> {
  try {
    return ok(await readLog(worker, asked, options));
  } catch (failure) {
    return error(`the log cannot be read: ${String(failure)}`, { code: "FILESYSTEM_ERROR" });
  }
}

/** Answers `worker.log`. */
export const logRequest = (registry: Pick<WorkerRegistry, "find">, options: Options): RequestHandler =>
  handlePeers("worker.log", ({ request }, done) => {
    const worker = registry.find(request.worker);
    if (worker === undefined) {
      return done(error(`there is no worker ${request.worker.slice(0, 100)}`, { code: "WORKER_NOT_FOUND" }));
    }
    return void (async () => done(await outcomeFor(worker, request, options)))();
  });
