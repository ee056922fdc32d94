import { LIMITS, WORKER_VARIABLES } from "claw-contract";
import type { BusHost } from "../../bus/index.ts";
import { endMarked } from "../../process/index.ts";
import type { WorkerProcess, WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { StartedProcess } from "./worker-process.ts";
import { isAlive, readJobOf } from "./worker-process.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { StartBudgets } from "./launch-worker.ts";

type Exit = Awaited<StartedProcess["exited"]>;

/** Publishes the end of a worker's process, once for each start, even when an earlier daemon started the process. */
export interface ProcessWatch {
  /** Follows a process that the daemon started, until the process exits. */
  follow(peerId: string, bootId: string, exited: StartedProcess["exited"]): void;
  /** Marks the end of this life as expected. */
  expectEnd(bootId: string): void;
  /** Resolves when the life is over and `system.worker.terminated` is stored. */
  whenOver(peerId: string, bootId: string): Promise<void>;
  start(): void;
  checkDue(): number;
}

/** The exit of a process whose end the daemon did not see. */
const UNSEEN: Exit = { exitCode: null, signal: null };

/** Finds usage that a life spent and could not report; undefined when the life reported all usage. */
export type SettleProcess = (process: WorkerProcess) => Promise<Readonly<Record<string, number>> | undefined>;

type Processes = Pick<WorkerRegistry, "processOf" | "processes">;

class Watch implements ProcessWatch {
  readonly #host: BusHost;
  readonly #settle: SettleProcess;
  readonly #processes: Processes;
  /** Boot ids of processes whose exit the daemon receives. */
  readonly #own = new Set<string>();
  readonly #expected = new Set<string>();
  readonly #ending = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(host: BusHost, processes: Processes, settle: SettleProcess) {
    this.#host = host;
    this.#settle = settle;
    this.#processes = processes;
  }

  follow(peerId: string, bootId: string, exited: StartedProcess["exited"]): void {
    this.#own.add(bootId);
    void exited.then((exit) => {
      const process = this.#processes.processOf(peerId);
      return process?.bootId === bootId ? this.#end(process, exit) : undefined;
    });
  }

  expectEnd(bootId: string): void {
    this.#expected.add(bootId);
  }

  whenOver(peerId: string, bootId: string): Promise<void> {
    if (this.#processes.processOf(peerId)?.bootId !== bootId) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(bootId, [...(this.#waiting.get(bootId) ?? []), resolve]));
  }

  start(): void {
    for (const process of this.#here()) this.#lookFor(process);
  }

  checkDue(): number {
    const isAway = ({ bootId, peerId }: WorkerProcess): boolean =>
      !this.#own.has(bootId) && !this.#ending.has(bootId) && !this.#host.peers.has(peerId);
    const away = this.#here().filter((process) => isAway(process) && this.#lookFor(process));
    return away.length > 0 ? this.#host.now() + LIMITS.workerLookMs : Infinity;
  }

  /** Processes that this machine started. The pid of a process on another machine means nothing here. */
  #here(): readonly WorkerProcess[] {
    return this.#processes.processes().filter(({ peerId }) => this.#host.isHere(peerId));
  }

  /** Whether the process runs; a process that is gone has ended unseen. */
  #lookFor(process: WorkerProcess): boolean {
    const there = isAlive(process);
    if (!there) void this.#end(process, UNSEEN);
    return there;
  }

  /** Ends the remaining processes of a dead worker first: no other part of claw knows of them. */
  async #end(process: WorkerProcess, exit: Exit): Promise<void> {
    if (this.#ending.has(process.bootId)) return;
    this.#ending.add(process.bootId);
    await endMarked(`${WORKER_VARIABLES.life}=${process.bootId}`, LIMITS.runFirmMs);
    const unreported = await this.#settle(process);
    const now = this.#processes.processOf(process.peerId);
    if (now?.bootId === process.bootId) this.#tellEnd(now, exit, unreported === undefined ? {} : { unreported });
    else this.#over(process.bootId);
  }

  #tellEnd({ peerId, bootId, pid, hasReported }: WorkerProcess, { exitCode, signal }: Exit, more: object): void {
    const expected = hasReported || this.#expected.has(bootId);
    const ts = this.#host.timestamp();
    const payload = { peerId, bootId, pid, exit_code: exitCode, signal, expected, ...more, ts };
    this.#host.publish([{ topic: "system.worker.terminated", payload }], (outcome) => {
      if (!(outcome instanceof Error)) return this.#over(bootId);
      // `checkDue` looks for the process again and publishes the end then.
      this.#ending.delete(bootId);
      this.#own.delete(bootId);
      return this.#host.report(`the end of worker ${peerId} was not stored: ${outcome.message}`);
    });
  }

  #over(bootId: string): void {
    for (const resolve of this.#waiting.get(bootId) ?? []) resolve();
    for (const set of [this.#own, this.#expected, this.#ending]) set.delete(bootId);
    this.#waiting.delete(bootId);
  }
}

export const createProcessWatch = (host: BusHost, processes: Processes, settle: SettleProcess): ProcessWatch =>
  new Watch(host, processes, settle);

/** Usage that a worker's life spent and did not report. */
interface UnreportedUsage {
  readonly tokens: number;
  readonly costUsd: number;
  readonly unknownCalls: number;
}

/** An ended life, as input for code that reads the files of its agent. */
interface EndedLife {
  readonly folder: string;
  readonly bootId: string;
  /** Tokens the worker reported during this life. */
  readonly reportedTokens: number;
  /** The environment that says where the agent keeps its files. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Adds up the usage that a life spent and did not report, from the files of its agent. Null when there is none. */
export type SettleLife = (life: EndedLife) => Promise<UnreportedUsage | null>;

/**
 * Makes the function that finds the unreported usage of a life. A life that reported its end has reported all usage.
 */
export function createSettle({ settle, env, report }: SuperviseOptions, budgets: StartBudgets): SettleProcess {
  return async ({ peerId, folder, bootId, hasReported }) => {
    const job = hasReported || settle === undefined ? undefined : readJobOf(folder);
    if (job === undefined || job.bootId !== bootId || settle === undefined) return undefined;
    try {
      const life = { folder, bootId, reportedTokens: budgets.reportedTokens(peerId), env: { ...env, ...job.env } };
      const found = await settle(life);
      if (found === null) return undefined;
      return { tokens: found.tokens, cost_usd: found.costUsd, unknown_calls: found.unknownCalls };
    } catch (error) {
      report(`what worker ${peerId} spent last is not known: ${String(error)}`);
      return undefined;
    }
  };
}
