import { existsSync, readSync } from "node:fs";
import { join } from "node:path";
import { WORKER_FILES, WORKER_GO } from "claw-contract";
import type { BusyWorker, Stop } from "./be-worker.ts";
import { bootAs, readJob } from "./worker-life.ts";
import { joinBus, writeWorkerLog, openLife } from "./worker-life.ts";
import type { LifeParts } from "./worker-life.ts";

/** How often a worker checks that the worker's folder exists. */
const WORKER_FOLDER_MS = 5000;

const STDIN = 0;

/** Whether the daemon lets this process begin: not when the daemon died before announcing the worker. */
function mayBegin(): boolean {
  try {
    return readSync(STDIN, Buffer.alloc(WORKER_GO.length)) > 0;
  } catch {
    return false;
  }
}

/**
 * Modules for the work, loaded after the boot was sent: other processes wait for the boot, and the boot needs none of
 * these modules.
 */
const loadHeadless = () => import("./be-worker.ts");
const loadInteractive = () => import("./interactive/be-interactive.ts");

/** How long to wait for the bus. The work itself can begin without the bus. */
const JOIN_MS = 1000;

const waitForBus = ({ worker }: LifeParts): Promise<unknown> =>
  Promise.race([worker.ready().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, JOIN_MS).unref())]);

async function beginWork(life: LifeParts): Promise<BusyWorker> {
  const isInteractive = life.job.mode === "interactive";
  // An interactive worker boots later, when its agent's terminal is open.
  if (!isInteractive) bootAs(life);
  await waitForBus(life);
  await new Promise(setImmediate);
  return isInteractive ? (await loadInteractive()).beInteractive(life) : (await loadHeadless()).beWorker(life);
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Runs the worker whose folder is given, until the work is over. */
async function main(folder: string): Promise<number> {
  if (!mayBegin()) return 0;
  const job = readJob(folder);
  process.umask(job.umask);
  const early: Stop[] = [];
  let stop = (reason: Stop): void => void early.push(reason);
  for (const signal of SIGNALS) process.on(signal, () => stop({ kind: "signalled", signal }));
  const worker = joinBus(job, (status) => {
    if (status === "closed") stop({ kind: "shut-out" });
  });
  // By now the hello is sent; the setup below takes about as long as the bus needs to answer.
  await new Promise(setImmediate);
  const life = openLife(job, worker);
  // Node would write warnings to the process's output and crash when that is not writable.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => life.log(String(warning)));
  life.log(`worker ${job.name} (${job.peerId}), start ${job.attempt}`);
  const busy = await beginWork(life);
  stop = (reason) => busy.stop(reason);
  for (const reason of early) stop(reason);
  // A removed workspace needs no workers, and no other process would end them.
  const isThere = (): boolean => existsSync(join(folder, WORKER_FILES.job));
  setInterval(() => isThere() || stop({ kind: "shut-out" }), WORKER_FOLDER_MS).unref();
  const code = await busy.done;
  life.transcript.close();
  const problem = life.transcript.problem();
  if (problem !== null) life.log(problem);
  life.log(`ends with ${code}`);
  await worker.close();
  return code;
}

const FAILED = 1;
const [, , folder = ""] = process.argv;

main(folder).then(
  (code) => process.exit(code),
  (error: unknown) => {
    writeWorkerLog(folder, error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(FAILED);
  },
);
