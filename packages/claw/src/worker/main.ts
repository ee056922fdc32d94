import { existsSync, readSync } from "node:fs";
import { join } from "node:path";
import { WORKER_FILES, WORKER_GO } from "claw-contract";
import { fileModes } from "../files/index.ts";
import type { BusyWorker, Stop } from "./be-worker.ts";
import type { BootParts, LifeParts } from "./worker-life.ts";
import { bootAs, joinBus, openLife, prepareBoot, readJob, writeWorkerLog } from "./worker-life.ts";

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

const waitForBus = ({ worker }: BootParts): Promise<unknown> =>
  Promise.race([worker.ready().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, JOIN_MS).unref())]);

/** Publishes the boot, and only then opens the files of the life: other processes wait for the boot. */
async function bootLife(parts: BootParts): Promise<LifeParts> {
  // An interactive worker boots later, when its agent's terminal is open.
  if (parts.job.mode !== "interactive") bootAs(parts);
  await waitForBus(parts);
  await new Promise(setImmediate);
  return openLife(parts);
}

const beginWork = async (life: LifeParts): Promise<BusyWorker> =>
  life.job.mode === "interactive"
    ? (await loadInteractive()).beInteractive(life)
    : (await loadHeadless()).beWorker(life);

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Runs the worker whose folder is given, until the work is over. */
async function main(folder: string): Promise<number> {
  if (!mayBegin()) return 0;
  const job = readJob(folder);
  fileModes.setMask(job.umask);
  const early: Stop[] = [];
  let stop = (reason: Stop): void => void early.push(reason);
  for (const signal of SIGNALS) process.on(signal, () => stop({ kind: "signalled", signal }));
  const worker = joinBus(job, (status) => {
    if (status === "closed") stop({ kind: "shut-out" });
  });
  // By now the hello is sent; the setup below takes about as long as the bus needs to answer.
  await new Promise(setImmediate);
  const parts = prepareBoot(job, worker);
  // Node would write warnings to the process's output and crash when that is not writable.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => parts.log(String(warning)));
  const life = await bootLife(parts);
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
