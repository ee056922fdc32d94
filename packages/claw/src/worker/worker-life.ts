import { join } from "node:path";
import type { Worker, ClientStatus, EventSchemas } from "claw-client";
import { connectWorker } from "claw-client";
import type { Redactor, WorkerJob, Phase } from "claw-contract";
import {
  COMMAND_CAPABILITY,
  ClawError,
  LIMITS,
  VERSIONS,
  WORKER_FILES,
  createRedactor,
  environmentSecrets,
  WORKER_VARIABLES,
  WORKER_SCHEMA_NAMES,
} from "claw-contract";
import { unixChannel } from "claw-client/node";
import type { StateFile } from "./worker-state.ts";
import { openStateFile } from "./worker-state.ts";
import type { WorkerTranscript } from "./report/transcript.ts";
import { openWorkerTranscript } from "./report/transcript.ts";
import { readSmallFile, appendToOwn } from "../files/index.ts";
import { agentEnvironment } from "../harness/index.ts";

/** The parts of a life that the boot needs. */
export interface BootParts {
  readonly job: WorkerJob;
  readonly worker: Worker;
  readonly redactor: Redactor;
  /** The environment of the agent. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a line to the worker's own log. */
  readonly log: (text: string) => void;
}

/** One life of a worker: the job, and the open files and connections of the process. */
export interface LifeParts extends BootParts {
  readonly state: StateFile;
  readonly transcript: WorkerTranscript;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Logs the error when a publication fails, without waiting for it. */
export function tell({ log }: Pick<LifeParts, "log">, what: string, published: Promise<unknown>): void {
  published.catch((error: unknown) => log(`${what} was not published: ${String(error)}`));
}

const SUMMARY_CHARS = 200;

/** Publishes the worker's boot. */
export function bootAs(life: BootParts, more: { readonly terminal_id?: string } = {}): void {
  const { worker, job, redactor } = life;
  const [line = ""] = job.mission.trim().split("\n");
  const input = {
    model: job.model ?? job.harness,
    mission_summary: redactor.redactText(line).slice(0, SUMMARY_CHARS) || job.name,
    cwd: job.cwd,
    capabilities: [COMMAND_CAPABILITY],
    ...more,
  };
  // A life has exactly one boot, and the job provides its event id. Generating an id would take as long as connecting.
  const boot = worker.boot(input, { id: job.bootId });
  tell(life, "boot", boot);
}

/** A daemon of another version wrote the job for a program that was replaced meanwhile. */
function requireVersion(version: number, path: string): void {
  const { oldest, newest } = VERSIONS.worker;
  if (version >= oldest && version <= newest) return;
  const message = `${path} has version ${version}; this version of claw reads ${oldest} to ${newest}`;
  const hint = "Restart the daemon with the installed version: claw up --replace. Then start the worker: claw restart.";
  throw new ClawError("PROTOCOL_MISMATCH", message, { operation: "read_job", target: path, hint });
}

/**
 * Reads the job that the daemon wrote for this process. Throws INTERNAL_ERROR when the file is missing, and
 * PROTOCOL_MISMATCH when it is of another version.
 */
export function readJob(folder: string): WorkerJob {
  const path = join(folder, WORKER_FILES.job);
  const file = readSmallFile(path, LIMITS.workerJobBytes);
  if (file.kind === "text") {
    const job = JSON.parse(file.text) as WorkerJob;
    requireVersion(job.version, path);
    return job;
  }
  throw new ClawError("INTERNAL_ERROR", `${path} tells nothing to do`, { operation: "read_job", target: path });
}

/** The phases of successful work, in order. */
const WAY: readonly Phase[] = ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"];

/** The phases from the current one to the target, target included; empty when the worker is there or further. */
export function phasesTo(current: Phase | null, to: Phase): readonly Phase[] {
  if (current === to || current === "FAILED") return [];
  if (to === "FAILED" || to === "RECOVER") return [to];
  const at = current === null ? -1 : WAY.indexOf(current === "RECOVER" ? "DEPLOY" : current);
  const through = WAY.slice(at + 1, WAY.indexOf(to) + 1);
  // After a recovery the work continues where it was.
  return current === "RECOVER" && through.length === 0 ? ["OBSERVE"] : through;
}

/** Enters the phases up to a target. `failed` receives the bus's refusals. */
export function walkTo(worker: Worker, to: Phase, reason: string, failed: (error: unknown) => void): void {
  for (const phase of phasesTo(worker.currentPhase(), to)) worker.phase(phase, reason).catch(failed);
}

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

/** The parts of a life that need no file. */
export function prepareBoot(job: WorkerJob, worker: Worker): BootParts {
  const env = environmentOf(job);
  const secrets = [...environmentSecrets(env), job.resumeToken, ...(job.bearer === null ? [] : [job.bearer])];
  const redactor = createRedactor({ secrets });
  return { job, worker, redactor, env, log: (text) => writeWorkerLog(job.folder, redactor.redactText(text)) };
}

/** Opens the files of a life. Throws when the transcript cannot be made. */
export function openLife(parts: BootParts): LifeParts {
  const { job, redactor, log } = parts;
  const { folder } = job;
  return {
    ...parts,
    state: openStateFile(folder, log),
    transcript: openWorkerTranscript(folder, { redactor, now: Date.now }),
    now: Date.now,
  };
}
