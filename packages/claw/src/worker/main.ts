import { existsSync, readSync } from "node:fs";
import { join } from "node:path";
import { LIMITS, WORKER_FILES, WORKER_GO } from "@claw/contract";
import type { BusyWorker, Stop } from "./be-worker.ts";
import { bootAs } from "./boot-as.ts";
import { joinBus, logLine, openShift } from "./open-shift.ts";
import { readJob } from "./read-job.ts";
import type { Shift } from "./shift.ts";

const STDIN = 0;

/** Whether the daemon lets this process begin. One that died before everybody knew of the worker does not. */
function mayBegin(): boolean {
  try {
    return readSync(STDIN, Buffer.alloc(WORKER_GO.length)) > 0;
  } catch {
    return false;
  }
}

/**
 * What it takes to work, loaded once the worker's boot is on its way: everybody waits for that, and nothing of it is
 * needed before.
 */
const loadHeadless = () => import("./be-worker.ts");
const loadInteractive = () => import("./interactive/be-interactive.ts");

/** Who waits for the bus waits no longer; the work itself needs none. */
const JOIN_MS = 1000;

const joined = ({ worker }: Shift): Promise<unknown> =>
  Promise.race([worker.ready().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, JOIN_MS).unref())]);

async function beginWork(shift: Shift): Promise<BusyWorker> {
  const isInteractive = shift.job.mode === "interactive";
  // An agent that is seen is up once its terminal is.
  if (!isInteractive) bootAs(shift);
  await joined(shift);
  await new Promise(setImmediate);
  return isInteractive ? (await loadInteractive()).beInteractive(shift) : (await loadHeadless()).beWorker(shift);
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Is the worker whose folder is named until its work is over. */
async function main(folder: string): Promise<number> {
  if (!mayBegin()) return 0;
  const job = readJob(folder);
  process.umask(job.umask);
  const early: Stop[] = [];
  let stop = (reason: Stop): void => void early.push(reason);
  for (const signal of SIGNALS) process.on(signal, () => stop({ kind: "told", signal }));
  const worker = joinBus(job, (status) => {
    if (status === "closed") stop({ kind: "shut-out" });
  });
  // The bus has been greeted then, and what follows takes as long as it takes to answer.
  await new Promise(setImmediate);
  const shift = openShift(job, folder, worker);
  // What Node itself has to say would end the process where its output cannot be written.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => shift.log(String(warning)));
  shift.log(`worker ${job.name} (${job.peerId}), start ${job.attempt}`);
  const busy = await beginWork(shift);
  stop = (reason) => busy.stop(reason);
  for (const reason of early) stop(reason);
  // A workspace that was removed has no use for its workers, and nobody else would end them.
  const isThere = (): boolean => existsSync(join(folder, WORKER_FILES.job));
  setInterval(() => isThere() || stop({ kind: "shut-out" }), LIMITS.workerFolderMs).unref();
  const code = await busy.done;
  shift.transcript.close();
  const problem = shift.transcript.problem();
  if (problem !== null) shift.log(problem);
  shift.log(`ends with ${code}`);
  await worker.close();
  return code;
}

const FAILED = 1;
const [, , folder = ""] = process.argv;

main(folder).then(
  (code) => process.exit(code),
  (error: unknown) => {
    logLine(folder, error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(FAILED);
  },
);
