import type { RanCommand } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { ShellMark } from "./marks.ts";
import { markedLine, typedLine } from "./shell-commands.ts";
import type { ShellStart } from "./shell-integration.ts";

export interface ShellTrackerOptions {
  readonly kind: ShellStart["kind"];
  readonly nonce: string;
  readonly now: () => number;
  /** Number of output bytes so far. */
  readonly offset: () => number;
  readonly type: (text: string) => Promise<void>;
  readonly started: (command: string, from: number) => void;
  readonly ended: (ran: RanCommand) => void;
}

/** Follows the commands of a shell, and runs commands in the shell. */
export interface ShellTracker {
  mark(mark: ShellMark): void;
  /** Runs a command after the earlier commands have ended. Rejects with the signal's reason. */
  execute(command: string, signal: AbortSignal): Promise<RanCommand>;
  /** The shell has ended. A running command ends with the shell's exit code. */
  closed(exitCode: number | null): void;
}

/** How long a shell may take to send the first mark. */
const INTEGRATION_MS = 10_000;

interface Awaited {
  readonly command: string;
  readonly done: (ran: RanCommand) => void;
}

interface Running {
  command: string;
  from: number;
  startedAt: number;
}

/** Waits for a change; rejects with the signal's reason. */
function createWaiting(): { wait(signal: AbortSignal, ms?: number): Promise<void>; changed(): void } {
  let wake: (() => void)[] = [];
  return {
    wait: (signal, ms) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason as Error);
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
        const timer = ms === undefined ? undefined : setTimeout(() => resolve(), ms);
        wake.push(() => {
          clearTimeout(timer);
          signal.removeEventListener("abort", stop);
          resolve();
        });
      }),
    changed: () => {
      const woken = wake;
      wake = [];
      for (const each of woken) each();
    },
  };
}

function orAborted<T>(outcome: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    outcome.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

class Tracker implements ShellTracker {
  readonly #options: ShellTrackerOptions;
  readonly #openedAt: number;
  readonly #waiting = createWaiting();
  #seen = false;
  #atPrompt = false;
  #isClosed = false;
  #awaited: Awaited | undefined;
  #running: Running | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ShellTrackerOptions) {
    this.#options = options;
    this.#openedAt = options.now();
  }

  mark(mark: ShellMark): void {
    this.#seen = true;
    if (mark.kind === "prompt") this.#atPrompt = true;
    else if (mark.kind === "start") this.#start(mark.command);
    else this.#end(mark.exitCode);
    this.#waiting.changed();
  }

  execute(command: string, signal: AbortSignal): Promise<RanCommand> {
    const ran = this.#queue.then(() => this.#run(command, signal));
    // An aborted command still runs in the shell. Later commands wait for the prompt.
    this.#queue = ran.catch(() => (this.#awaited = undefined));
    return orAborted(ran, signal);
  }

  closed(exitCode: number | null): void {
    this.#isClosed = true;
    this.#end(exitCode);
    this.#waiting.changed();
  }

  #start(command: string): void {
    this.#atPrompt = false;
    const known = (this.#awaited?.command ?? command.slice(0, LIMITS.execCommandChars)) || "(unknown)";
    this.#running = { command: known, from: this.#options.offset(), startedAt: this.#options.now() };
    this.#options.started(known, this.#running.from);
  }

  #end(exitCode: number | null): void {
    // A line that the shell cannot parse produces an end mark without a start mark.
    if (this.#running === undefined && this.#awaited !== undefined) this.#start(this.#awaited.command);
    if (this.#running === undefined) return;
    const { kind, now, offset } = this.#options;
    const ran = { ...this.#running, exitCode, endedAt: now(), to: offset(), degraded: kind === "posix" };
    const awaited = this.#awaited;
    this.#running = undefined;
    this.#awaited = undefined;
    this.#options.ended(ran);
    awaited?.done(ran);
  }

  /** Whether the shell sends marks; waits until this is known. */
  async #isIntegrated(signal: AbortSignal): Promise<boolean> {
    const { kind, now } = this.#options;
    const until = this.#openedAt + INTEGRATION_MS;
    if (kind !== "marks") return false;
    while (!this.#seen && !this.#isClosed && now() < until) await this.#waiting.wait(signal, until - now());
    return this.#seen;
  }

  /** Types a line whose end will be marked, and waits for the end. */
  async #typeAndWait(command: string, line: string, signal: AbortSignal): Promise<RanCommand> {
    const ended = new Promise<RanCommand>((done) => (this.#awaited = { command, done }));
    await this.#options.type(`${line}\r`);
    return orAborted(ended, signal);
  }

  async #run(command: string, signal: AbortSignal): Promise<RanCommand> {
    const { kind, nonce } = this.#options;
    signal.throwIfAborted();
    if (await this.#isIntegrated(signal)) {
      while (!this.#atPrompt && !this.#isClosed) await this.#waiting.wait(signal);
      this.#atPrompt = false;
      return this.#typeAndWait(command, typedLine(command), signal);
    }
    if (kind === "posix") return this.#typeAndWait(command, markedLine(command, nonce), signal);
    return this.#typeOnly(command);
  }

  /** Types a command into a shell without marks. The outcome of the command stays unknown. */
  async #typeOnly(command: string): Promise<RanCommand> {
    const { now, offset, type, started, ended } = this.#options;
    const startedAt = now();
    await type(`${command}\r`);
    const at = offset();
    const ran = { command, exitCode: null, startedAt, endedAt: now(), from: at, to: at, degraded: true };
    started(command, at);
    ended(ran);
    return ran;
  }
}

export const createShellTracker = (options: ShellTrackerOptions): ShellTracker => new Tracker(options);
