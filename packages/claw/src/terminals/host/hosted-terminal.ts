import { existsSync } from "node:fs";
import type { CloseOrigin, ExecutedCommand, Terminal, TerminalFactBody } from "claw-contract";
import { commandText, LIMITS } from "claw-contract";
import { identify } from "../../process/index.ts";
import { writeAbout } from "../storage/about-terminal.ts";
import { endLeftBehind, endPrograms, variablesOf } from "./end-programs.ts";
import type { ForegroundWatch } from "../pty/foreground-watch.ts";
import { createForegroundWatch } from "../pty/foreground-watch.ts";
import type { PtyLibrary } from "../pty/load-pty.ts";
import type { Intake } from "../shell/mark-intake.ts";
import { createIntake } from "../shell/mark-intake.ts";
import type { Pty, PtyExit } from "../pty/open-pty.ts";
import { openPty } from "../pty/open-pty.ts";
import type { RawLog } from "../storage/raw-log.ts";
import { createRawLog, readRange } from "../storage/raw-log.ts";
import type { ShellStart } from "../shell/shell-integration.ts";
import type { ShellTracker } from "../shell/shell-tracker.ts";
import { createShellTracker } from "../shell/shell-tracker.ts";
import type { Soon } from "./soon.ts";
import type { Typing } from "../pty/typing.ts";
import { createTyping } from "../pty/typing.ts";

export interface HostedTerminalOptions {
  readonly library: PtyLibrary;
  /** `.claws`. */
  readonly folder: string;
  /** The terminal's folder, already created. */
  readonly path: string;
  readonly about: Omit<Terminal, "pid" | "program" | "end" | "sizes">;
  readonly env: Readonly<Record<string, string>>;
  readonly shell: ShellStart;
  readonly nonce: string;
  readonly tell: (fact: TerminalFactBody) => void;
  /** Called on new output, and when the terminal is closed. */
  readonly changed: () => void;
  readonly report: (problem: string) => void;
  readonly soon: Soon;
}

/** Number of stored sizes. Beyond this number, a new size replaces the newest. */
const SIZES = 1000;
/** How long to wait before retrying a failed write to the disk. */
const AGAIN_MS = 500;

/** A terminal whose pty is owned by the host process. */
export class HostedTerminal {
  readonly log: RawLog;
  readonly typing: Typing;
  readonly #options: HostedTerminalOptions;
  readonly #watch: ForegroundWatch;
  readonly #tracker: ShellTracker;
  readonly #intake: Intake;
  readonly #pty: Pty;
  readonly #closed: Promise<void>;
  #about: Terminal;
  #closing: CloseOrigin | undefined;
  #begun = false;
  /** Whether output or terminal data is missing on the disk, and whether a retry is already scheduled. */
  readonly #missing = { output: false, about: false, isAwaited: false };
  #whenClosed = (): void => undefined;

  /** Starts the program. Throws when the program cannot be started. */
  constructor(options: HostedTerminalOptions) {
    this.#options = options;
    const { about, nonce, shell, env, library } = options;
    const { cols, rows, cwd, id: terminalId } = about;
    this.#about = { ...about, pid: 0, program: null, end: null, sizes: [{ offset: 0, cols, rows }] };
    this.#closed = new Promise((resolve) => (this.#whenClosed = resolve));
    const { path: ownFolder, soon } = options;
    this.log = createRawLog({ folder: ownFolder, soon, stuck: (problem) => this.#stuck(problem) });
    this.#watch = createForegroundWatch(
      () => this.#about.pid,
      (found) => options.tell({ kind: "content", ...found }),
    );
    this.#tracker = this.#createTracker(shell.kind, nonce);
    this.#intake = createIntake(nonce, {
      output: (bytes) => this.#output(bytes),
      mark: (mark) => {
        shell.tidy();
        this.#tracker.mark(mark);
      },
    });
    this.#pty = openPty(
      library,
      { argv: shell.argv, cwd, env: { ...env, ...shell.env, ...variablesOf(about) }, cols, rows },
      { output: this.#outputOf(shell.kind), exit: (exit) => this.#exited(exit) },
    );
    this.typing = createTyping({
      terminalId,
      write: (bytes) => this.#pty.write(bytes),
      waiting: () => this.#pty.waiting(),
    });
    this.#keep({ pid: this.#pty.pid, program: identify(this.#pty.pid) });
  }

  about(): Terminal {
    return this.#about;
  }

  isOpen(): boolean {
    return this.#about.end === null;
  }

  resize(cols: number, rows: number): void {
    const { sizes } = this.#about;
    if (!this.isOpen() || (cols === this.#about.cols && rows === this.#about.rows)) return;
    this.#pty.resize(cols, rows);
    const kept = sizes.length >= SIZES ? sizes.slice(0, -1) : sizes;
    this.#keep({ cols, rows, sizes: [...kept, { offset: this.log.total(), cols, rows }] });
  }

  async execute(command: string, signal: AbortSignal): Promise<ExecutedCommand> {
    const ran = await this.#tracker.execute(command, signal);
    return { ...ran, output: this.#textOf(ran.from, ran.to) };
  }

  /** Ends all programs in the terminal. Resolves when the terminal is closed: with true for the first caller. */
  async close(origin: CloseOrigin): Promise<boolean> {
    const isFirst = this.isOpen() && this.#closing === undefined;
    if (isFirst) {
      this.#closing = origin;
      await endPrograms(this.#about);
    }
    await this.#closed;
    return isFirst;
  }

  #createTracker(kind: ShellStart["kind"], nonce: string): ShellTracker {
    const { tell } = this.#options;
    return createShellTracker({
      kind,
      nonce,
      now: Date.now,
      offset: () => this.log.total(),
      type: (text) => this.typing.text(text, false),
      started: (command, from) => tell({ kind: "command-start", command, from }),
      ended: (ran) => tell({ kind: "command-end", ...ran }),
    });
  }

  /** Only output of a shell can hold marks. Other output needs no search (benchmark `terminals`, CPU per MB). */
  #outputOf(kind: ShellStart["kind"]): (bytes: Buffer) => void {
    return kind === "none" ? (bytes) => this.#output(bytes) : (bytes) => this.#intake.chunk(bytes);
  }

  #output(bytes: Buffer): void {
    this.log.append(bytes);
    if (!this.#begun) this.#options.tell({ kind: "ready" });
    this.#begun = true;
    this.#watch.touch();
    if (this.log.isFull()) this.#pty.pause(true);
    this.#options.changed();
  }

  #stuck(problem: string | null): void {
    this.#missing.output = problem !== null;
    this.#options.report(`terminal ${this.#about.id}: ${problem ?? "its output is written again"}`);
    if (problem === null && this.isOpen()) this.#pty.pause(false);
  }

  #exited(exit: PtyExit): void {
    this.#intake.end();
    this.#watch.stop();
    this.#options.shell.tidy();
    this.#tracker.closed(exit.exitCode);
    this.log.close();
    if (this.#missing.output) this.#writeLater();
    const end = { at: new Date().toISOString(), origin: this.#closing ?? "user", ...exit } as const;
    void endLeftBehind(this.#about);
    this.#keep({ end });
    this.#options.tell({ kind: "closed", ...end, correlationId: this.#about.correlationId });
    this.#options.changed();
    this.#whenClosed();
  }

  #keep(change: Partial<Terminal>): void {
    this.#about = { ...this.#about, ...change };
    try {
      writeAbout(this.#options.folder, this.#about);
      this.#missing.about = false;
    } catch (error) {
      if (!this.#missing.about) this.#options.report(`terminal ${this.#about.id}: ${String(error)}`);
      this.#missing.about = true;
      this.#writeLater();
    }
  }

  /** Retries writes that the disk refused. Gives up when the terminal's folder is gone. */
  #writeLater(): void {
    if (this.#missing.isAwaited) return;
    this.#missing.isAwaited = true;
    const write = (): void => {
      this.#missing.isAwaited = false;
      if (!existsSync(this.#options.path)) return;
      // The log of an open terminal retries without help.
      if (!this.isOpen()) this.log.close();
      if (this.#missing.about) this.#keep({});
      if (this.#missing.output && !this.isOpen()) this.#writeLater();
    };
    setTimeout(write, AGAIN_MS).unref();
  }

  /** The text of a range of the output; for a long range, only the end. */
  #textOf(from: number, to: number): string {
    const bytes = readRange(this.log, Math.max(from, to - LIMITS.historyOutputBytes), to);
    return commandText(bytes.toString("utf8"));
  }
}
