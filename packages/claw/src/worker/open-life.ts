import { join } from "node:path";
import type { ClientStatus, Worker, EventSchemas } from "claw-client";
import { connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import type { WorkerJob } from "claw-contract";
import { createRedactor, environmentSecrets, WORKER_FILES, WORKER_VARIABLES, WORKER_SCHEMA_NAMES } from "claw-contract";
import { appendToOwn } from "../files/index.ts";
import { agentEnvironment } from "../harness/index.ts";
import type { LifeParts } from "./worker-life.ts";
import { openWorkerTranscript } from "./report/transcript.ts";
import { openStateFile } from "./worker-state.ts";

/**
 * Provides only the names. The bus checks the events, and loading the schema library would take longer than all other
 * startup.
 */
export const WORKER_SCHEMAS: EventSchemas = {
  nameOf: (topic) => WORKER_SCHEMA_NAMES[topic.slice(topic.lastIndexOf(".") + 1)],
  problemsOf: () => [],
};

/** Appends to the log file that also receives the process's output. */
export function writeWorkerLog(folder: string, text: string): void {
  try {
    appendToOwn(join(folder, WORKER_FILES.log), `${new Date().toISOString()} ${text}\n`);
  } catch {
    // A full disk takes no lines; the work continues without the log.
    return;
  }
}

/**
 * The agent's environment: this process's variables without those of other agents' sessions, marked with this worker's
 * id.
 */
const environmentOf = ({ harness, env, peerId, bootId }: WorkerJob): LifeParts["env"] =>
  agentEnvironment(process.env, {
    harness,
    extra: { ...env, [WORKER_VARIABLES.id]: peerId, [WORKER_VARIABLES.life]: bootId },
    noApiKey: false,
    syncTasks: false,
  });

/** Joins the bus as the worker of a job. Publishes no event yet. */
export function joinBus(job: WorkerJob, onStatus: (status: ClientStatus) => void): Worker {
  return connectWorker({
    channel: unixChannel(job.socket),
    name: job.name,
    resume: { resumeToken: job.resumeToken },
    commandsFrom: job.commands.from,
    schemas: WORKER_SCHEMAS,
    onStatus,
    ...(job.bearer === null ? {} : { bearer: job.bearer }),
    ...(job.parentId === null ? {} : { parentId: job.parentId }),
  });
}

export function openLife(job: WorkerJob, worker: Worker): LifeParts {
  const { folder } = job;
  const env = environmentOf(job);
  const secrets = [...environmentSecrets(env), job.resumeToken, ...(job.bearer === null ? [] : [job.bearer])];
  const redactor = createRedactor({ secrets });
  const log = (text: string): void => writeWorkerLog(folder, redactor.redactText(text));
  return {
    job,
    worker,
    redactor,
    env,
    log,
    state: openStateFile(folder, log),
    transcript: openWorkerTranscript(folder, { redactor, now: Date.now }),
    now: Date.now,
  };
}
