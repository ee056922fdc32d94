import { existsSync, read } from "node:fs";
import { join } from "node:path";
import { LIMITS, WORKER_FILES, WORKER_GO } from "@claw/contract";
import type { BusyWorker } from "./be-worker.ts";
import { beWorker } from "./be-worker.ts";
import { logLine, openShift } from "./open-shift.ts";
import { readJob } from "./read-job.ts";

const STDIN = 0;

/** Whether the daemon lets this process begin. One that died before everybody knew of the worker does not. */
function mayBegin(): Promise<boolean> {
  const bytes = Buffer.alloc(WORKER_GO.length);
  return new Promise((resolve) => {
    read(STDIN, bytes, 0, bytes.length, null, (error, count) => resolve(error === null && count > 0));
  });
}

/** Most workers have no terminal, and start sooner without what it takes. */
const loadInteractive = () => import("./interactive/be-interactive.ts");

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Is the worker whose folder is named until its work is over. */
async function main(folder: string): Promise<number> {
  if (!(await mayBegin())) return 0;
  const job = readJob(folder);
  process.umask(job.umask);
  const busy: { worker?: BusyWorker } = {};
  const shift = openShift(job, folder, (status) => {
    if (status === "closed") busy.worker?.stop({ kind: "shut-out" });
  });
  shift.log(`worker ${job.name} (${job.peerId}), start ${job.attempt}`);
  busy.worker = job.mode === "interactive" ? (await loadInteractive()).beInteractive(shift) : beWorker(shift);
  for (const signal of SIGNALS) process.on(signal, () => busy.worker?.stop({ kind: "told", signal }));
  // A workspace that was removed has no use for its workers, and nobody else would end them.
  const isThere = (): boolean => existsSync(join(folder, WORKER_FILES.job));
  setInterval(() => isThere() || busy.worker?.stop({ kind: "shut-out" }), LIMITS.workerFolderMs).unref();
  const code = await busy.worker.done;
  shift.transcript.close();
  const problem = shift.transcript.problem();
  if (problem !== null) shift.log(problem);
  shift.log(`ends with ${code}`);
  await shift.worker.close();
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
