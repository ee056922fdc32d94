import { LIMITS, WORKER_VARIABLES } from "@claw/contract";
import type { BusHost } from "../../bus/index.ts";
import { endMarked, isRunning } from "../../process/index.ts";
import type { WorkerLife, WorkerLives } from "./worker-lives.ts";
import type { StartedProcess } from "./worker-process.ts";
import { readIdentity } from "./worker-process.ts";

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

const isThere = ({ folder, bootId }: WorkerLife): boolean => {
  const identity = readIdentity(folder, bootId);
  return identity !== undefined && isRunning(identity);
};

/** Finds usage that a life spent and could not report; undefined when the life reported all usage. */
export type Settle = (life: WorkerLife) => Promise<Readonly<Record<string, number>> | undefined>;

class Watch implements ProcessWatch {
  readonly #host: BusHost;
  readonly #settle: Settle;
  readonly #lives: WorkerLives;
  /** Boot ids of processes whose exit the daemon receives. */
  readonly #own = new Set<string>();
  readonly #expected = new Set<string>();
  readonly #ending = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(host: BusHost, lives: WorkerLives, settle: Settle) {
    this.#host = host;
    this.#settle = settle;
    this.#lives = lives;
  }

  follow(peerId: string, bootId: string, exited: StartedProcess["exited"]): void {
    this.#own.add(bootId);
    void exited.then((exit) => {
      const life = this.#lives.get(peerId);
      return life?.bootId === bootId ? this.#end(life, exit) : undefined;
    });
  }

  expectEnd(bootId: string): void {
    this.#expected.add(bootId);
  }

  whenOver(peerId: string, bootId: string): Promise<void> {
    if (this.#lives.get(peerId)?.bootId !== bootId) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(bootId, [...(this.#waiting.get(bootId) ?? []), resolve]));
  }

  start(): void {
    for (const life of this.#lives.all()) this.#lookFor(life);
  }

  checkDue(): number {
    const isAway = ({ bootId, peerId }: WorkerLife): boolean =>
      !this.#own.has(bootId) && !this.#ending.has(bootId) && !this.#host.peers.has(peerId);
    const away = this.#lives.all().filter((life) => isAway(life) && this.#lookFor(life));
    return away.length > 0 ? this.#host.now() + LIMITS.workerLookMs : Infinity;
  }

  /** Whether the process runs; a process that is gone has ended unseen. */
  #lookFor(life: WorkerLife): boolean {
    const there = isThere(life);
    if (!there) void this.#end(life, UNSEEN);
    return there;
  }

  /** Ends the remaining processes of a dead worker first: no other part of claw knows of them. */
  async #end(life: WorkerLife, exit: Exit): Promise<void> {
    if (this.#ending.has(life.bootId)) return;
    this.#ending.add(life.bootId);
    await endMarked(`${WORKER_VARIABLES.life}=${life.bootId}`, LIMITS.runFirmMs);
    const unreported = await this.#settle(life);
    const now = this.#lives.get(life.peerId);
    if (now?.bootId === life.bootId) this.#tellEnd(now, exit, unreported === undefined ? {} : { unreported });
    else this.#over(life.bootId);
  }

  #tellEnd({ peerId, bootId, pid, reported }: WorkerLife, { exitCode, signal }: Exit, more: object): void {
    const expected = reported || this.#expected.has(bootId);
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

export const createProcessWatch = (host: BusHost, lives: WorkerLives, settle: Settle): ProcessWatch =>
  new Watch(host, lives, settle);
