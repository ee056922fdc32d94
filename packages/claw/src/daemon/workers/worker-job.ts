import type { JobCommands, JobWorktree, Redactor, WorkerJob } from "claw-contract";
import { createRedactor, environmentSecrets, trimEndOf } from "claw-contract";
import type { BusHost } from "../../bus/index.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { Announced, PermittedSpawn } from "./launch-worker.ts";

/** Words that do not describe a mission. */
const SMALL: ReadonlySet<string> = new Set(
  "a an and are as at be by do for from have in into is it its of on or please redacted so that the then this to up with you".split(
    " ",
  ),
);

const WORDS = 3;
const NAME_CHARS = 32;

/**
 * A readable name for a mission, or for the agent where the mission has no words. Pure: the same mission gives the same
 * name.
 */
export function nameFor(mission: string, harness: string): string {
  const [line = ""] = mission.trim().split("\n");
  const words = line.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const telling = words.filter((word) => !SMALL.has(word)).slice(0, WORDS);
  const name = trimEndOf(telling.join("-").slice(0, NAME_CHARS), "-");
  return name === "" || /^\d+$/.test(name) ? harness : name;
}

/** The name, or the name with the first number that makes it free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** The identity of a worker and the place it works in. */
export interface WorkerPlace {
  readonly peerId: string;
  readonly name: string;
  /** Folder with the worker's job, log and output files. */
  readonly folder: string;
  readonly cwd: string;
  /** Environment variables of the place. */
  readonly env: Readonly<Record<string, string>>;
  readonly worktree: JobWorktree | null;
}

interface Outside {
  readonly host: BusHost;
  readonly options: SuperviseOptions;
  /** Sequences of the commands that a worker has not taken yet. */
  readonly waitingCommands: (peerId: string) => readonly number[];
}

/** The commands of a life that is about to begin. */
export function commandsFor({ host, waitingCommands }: Outside, peerId: string): JobCommands {
  const after = host.headSequence();
  const waiting = waitingCommands(peerId);
  return { from: host.cursorAt(Math.min(after, ...waiting.map((sequence) => sequence - 1))), after, waiting };
}

/** The job that the process of a new worker reads. */
export function jobOf(
  outside: Outside,
  request: PermittedSpawn,
  place: WorkerPlace & Pick<WorkerJob, "bootId">,
): WorkerJob {
  const { host, options } = outside;
  const { peerId, name, bootId, env: around, ...where } = place;
  const {
    parent_id: parentId,
    permission_mode: permissionMode,
    worktree: plan,
    key: _key,
    start_key: _startKey,
    ...asked
  } = request;
  const { budget: _budget, trouble: _trouble, ...wanted } = asked;
  const { NODE_EXTRA_CA_CERTS: certificates } = options.env;
  const handedOn =
    certificates === undefined || request.harness === "fake" ? {} : { NODE_EXTRA_CA_CERTS: certificates };
  return {
    version: 1,
    ...wanted,
    ...plan,
    ...where,
    peerId,
    name,
    bootId,
    attempt: 1,
    reason: null,
    parentId,
    permissionMode,
    socket: options.socket,
    resumeToken: host.issueResumeToken({ peerId, bootId, role: "worker", name }),
    bearer: options.bearerFor(name),
    program: options.program,
    hook: options.part("hook"),
    env: { ...handedOn, ...around, ...request.env },
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    umask: options.umask,
    commands: commandsFor(outside, peerId),
  };
}

/** Masks secrets in the environments of the daemon and of a worker. */
export const workerRedactor = (env: NodeJS.ProcessEnv, job: Pick<WorkerJob, "env">): Redactor =>
  createRedactor({ secrets: [...environmentSecrets(env), ...environmentSecrets(job.env)] });

/**
 * The published commands with their secrets, which only the worker's job file holds. When the command in the file is
 * not the published command, the published command counts.
 */
export function wholeCommands(
  shown: readonly string[],
  kept: readonly string[] | undefined,
  { redactText }: Redactor,
): readonly string[] {
  return shown.map((command, index) => {
    const whole = kept?.[index];
    return whole !== undefined && redactText(whole) === command ? whole : command;
  });
}

/** The payload of `system.worker.spawned`, without the secrets of the environment. */
export function announcedOf(job: WorkerJob, request: PermittedSpawn, { env }: SuperviseOptions): Announced {
  const { redactText } = workerRedactor(env, job);
  const mask = (commands: readonly string[]): string[] => commands.map((command) => redactText(command));
  return {
    peerId: job.peerId,
    name: job.name,
    harness: job.harness,
    mode: job.mode,
    mission: redactText(job.mission),
    model: job.model,
    cwd: job.cwd,
    parent_id: job.parentId,
    fleet: job.fleet,
    bootId: job.bootId,
    attempt: job.attempt,
    worktree: job.worktree === null ? null : { ...job.worktree, teardown: mask(request.worktree?.teardown ?? []) },
    checks: mask(request.checks),
    budget: request.budget,
    trouble: request.trouble,
    permission_mode: job.permissionMode,
    folder: job.folder,
    ...(request.start_key === undefined ? {} : { start_key: request.start_key }),
  };
}
