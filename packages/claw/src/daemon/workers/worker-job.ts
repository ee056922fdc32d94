import { randomUUID } from "node:crypto";
import type { JobCommands, JobWorktree, Redactor, WorkerJob } from "@claw/contract";
import { createRedactor, environmentSecrets } from "@claw/contract";
import type { BusContext } from "../../bus/index.ts";
import { cursorOf } from "../../bus/index.ts";
import type { SuperviseOptions } from "../supervise-options.ts";
import type { Announced } from "./launch-worker.ts";
import type { WorkerOrder } from "./worker-order.ts";

/** Who a worker is and where it works. */
export interface Place {
  readonly peerId: string;
  readonly name: string;
  /** Where what it needs and leaves is kept. */
  readonly folder: string;
  readonly cwd: string;
  /** Variables of that place. */
  readonly env: Readonly<Record<string, string>>;
  readonly worktree: JobWorktree | null;
}

interface Outside {
  readonly context: BusContext;
  readonly options: SuperviseOptions;
  /** Sequences of the commands to a worker that it has not taken. */
  readonly waitingCommands: (peerId: string) => readonly number[];
}

/** The commands of a life that is about to begin. */
export function commandsFor({ context: { log }, waitingCommands }: Outside, peerId: string): JobCommands {
  const after = log.head();
  const waiting = waitingCommands(peerId);
  return { from: cursorOf(log, Math.min(after, ...waiting.map((sequence) => sequence - 1))), after, waiting };
}

/** What the process of a new worker is told. */
export function jobOf(outside: Outside, order: WorkerOrder, place: Place): WorkerJob {
  const { context, options } = outside;
  const { peerId, name } = place;
  const bootId = randomUUID();
  const { NODE_EXTRA_CA_CERTS: certificates } = options.env;
  const handedOn = certificates === undefined || order.harness === "fake" ? {} : { NODE_EXTRA_CA_CERTS: certificates };
  return {
    version: 1,
    peerId,
    name,
    bootId,
    attempt: 1,
    reason: null,
    harness: order.harness,
    mode: order.mode,
    mission: order.mission,
    model: order.model,
    cwd: place.cwd,
    parentId: order.parentId,
    fleet: order.fleet,
    socket: options.socket,
    resumeToken: context.resume.issue({ peerId, bootId, role: "worker", name }),
    bearer: options.bearerFor(name),
    program: options.program,
    hook: options.part("hook"),
    scenario: order.scenario,
    permissionMode: order.permissionMode,
    env: { ...handedOn, ...place.env, ...order.env },
    folder: place.folder,
    worktree: place.worktree,
    checks: order.checks,
    include: order.worktree?.include ?? [],
    setup: order.worktree?.setup ?? [],
    teardown: order.worktree?.teardown ?? [],
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    umask: options.umask,
    commands: commandsFor(outside, peerId),
  };
}

/** Masks what the environments of the daemon and of a worker hold. */
export const workerRedactor = (env: NodeJS.ProcessEnv, job: Pick<WorkerJob, "env">): Redactor =>
  createRedactor({ secrets: [...environmentSecrets(env), ...environmentSecrets(job.env)] });

/**
 * The commands that everybody was told of, with their secrets: these are in the worker's file alone. One that is not what
 * everybody was told of stays as it was told.
 */
export function wholeCommands(
  told: readonly string[],
  kept: readonly string[] | undefined,
  { redactText }: Redactor,
): readonly string[] {
  return told.map((command, index) => {
    const whole = kept?.[index];
    return whole !== undefined && redactText(whole) === command ? whole : command;
  });
}

/** What everybody is told: without secrets that the environment holds. */
export function announcedOf(job: WorkerJob, order: WorkerOrder, { env }: SuperviseOptions): Announced {
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
    worktree: job.worktree === null ? null : { ...job.worktree, teardown: mask(order.worktree?.teardown ?? []) },
    checks: mask(order.checks),
    budget: order.budget,
    trouble: order.trouble,
    permission_mode: job.permissionMode,
    folder: job.folder,
  };
}
