import { ClawError } from "@claw/contract";
import type { CloseOrigin } from "@claw/contract/schemas";
import type { TerminalFact } from "./terminal-fact.ts";

export interface InjectOptions {
  /** As one bracketed paste, so that line ends inside the text do not submit it. */
  readonly paste: boolean;
}

/** What terminals are made of, as clients of the wire read it. */
export interface PtySupport {
  /** False where there are no real terminals. */
  readonly loaded: boolean;
  /** Null when nothing is loaded. */
  readonly loadedFrom: string | null;
  /** Why nothing could be loaded. */
  readonly error?: string;
}

export interface ClosedTerminal {
  readonly terminalId: string;
  readonly origin: CloseOrigin;
  /** What it was opened under, where that was said. */
  readonly correlationId?: string | undefined;
  /** How its program ended, where that is known. */
  readonly exit?: { readonly exitCode: number | null; readonly signal: number | null } | undefined;
  /** Told whether the closing was written down. Until it was, it is told again after a restart. */
  readonly settle?: ((stored: boolean) => void) | undefined;
}

/** What is to run in a new terminal. */
export interface TerminalRequest {
  /** Never used before in this workspace. */
  readonly terminalId: string;
  readonly name: string;
  readonly cwd?: string | undefined;
  /** Its shell; the user's unless another is named. */
  readonly shellPath?: string | undefined;
  /** A program instead of a shell. */
  readonly argv?: readonly string[] | undefined;
  /** Added to what terminals start with. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cols?: number | undefined;
  readonly rows?: number | undefined;
  readonly correlationId?: string | undefined;
  /** Worker it was opened for. */
  readonly workerId?: string | undefined;
}

export interface TerminalView {
  readonly terminalId: string;
  readonly name: string;
  /** The shell or program in it. */
  readonly pid: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  /** ISO time. */
  readonly openedAt: string;
  readonly correlationId: string | null;
  readonly workerId: string | null;
  /** Whether the shell says where commands begin and end, and how. */
  readonly integrated: boolean;
}

/** What one would see on a terminal. */
export interface TerminalScreen {
  /** The lines, joined; trailing blanks of lines and blank lines at the end are left out. */
  readonly text: string;
  readonly lines: readonly string[];
  /** From 0. */
  readonly cursor: { readonly x: number; readonly y: number };
  readonly cols: number;
  readonly rows: number;
  /** False when output that it follows from is no longer kept. */
  readonly exact: boolean;
  /** Output bytes that it follows from. */
  readonly offset: number;
  /** Whether the program asked for pastes to be marked as such (mode 2004); unknown where nobody looked. */
  readonly bracketedPaste?: boolean | undefined;
  /** For each line, whether it goes on the line before it because that was full. */
  readonly wrapped?: readonly boolean[] | undefined;
  /** The lines with blanks for what is drawn faint, as hints and placeholders are; unknown where nobody looked. */
  readonly solid?: readonly string[] | undefined;
  /** Whether the program hides the cursor; unknown where nobody looked. */
  readonly cursorHidden?: boolean | undefined;
}

/** A piece of what a terminal has put out. */
export interface TerminalBytes {
  readonly bytes: Uint8Array;
  /** Position of the first byte, since the terminal began. */
  readonly offset: number;
  /** All bytes so far. */
  readonly total: number;
}

export interface Executed {
  /** Text of what it printed, without the sequences that only a screen understands. Empty when that is unknown. */
  readonly output: string;
  /** Null when unknown. */
  readonly exitCode: number | null;
  /** Milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whether the end was inferred because the shell does not tell of it. */
  readonly degraded: boolean;
}

/** The terminals that workers run in, as far as the bus needs them. Ids are compared as they are. */
export interface Terminals {
  /**
   * Opens a terminal. Resolves when its program runs; rejects with TERMINAL_UNAVAILABLE where there are none, with
   * TERMINAL_HOST_FAILED when it could not be started.
   */
  create(request: TerminalRequest): Promise<TerminalView>;
  /**
   * Types a text and Enter. Texts for one terminal are typed one after the other, in the order of the calls. Resolves
   * when the terminal took it; rejects with TERMINAL_NOT_FOUND when it is not open.
   */
  inject(terminalId: string, text: string, options: InjectOptions): Promise<void>;
  /**
   * Types bytes as they are, after whatever was typed before. Resolves when the terminal took them; rejects with
   * TERMINAL_NOT_FOUND when it is not open, with TERMINAL_BUSY when too much waits to be read by its program.
   */
  write(terminalId: string, bytes: Uint8Array): Promise<void>;
  /** Bytes it has put out since it began, also when it is closed. Rejects with TERMINAL_NOT_FOUND for one never known. */
  offset(terminalId: string): Promise<number>;
  /** What one would see now, or saw last. Rejects with TERMINAL_NOT_FOUND for one never known. */
  screen(terminalId: string): Promise<TerminalScreen>;
  /**
   * Resolves with the new offset as soon as there is output past one: at once when there is. Rejects with
   * TERMINAL_NOT_FOUND when the terminal is closed, or closes before, and with the signal's reason.
   */
  whenOutput(terminalId: string, fromOffset: number, signal: AbortSignal): Promise<number>;
  /**
   * Reads output, also of a closed terminal. Without an offset the last bytes. An offset that is no longer kept is
   * raised to the oldest that is. Rejects with TERMINAL_NOT_FOUND for one never known.
   */
  read(terminalId: string, range: { readonly offset?: number; readonly limit: number }): Promise<TerminalBytes>;
  /**
   * Runs a command line in the shell and resolves when it ended. Commands of one terminal run one after the other.
   * Rejects with TERMINAL_NOT_FOUND, and with the signal's reason.
   */
  execute(terminalId: string, command: string, signal: AbortSignal): Promise<Executed>;
  /** Rejects with TERMINAL_NOT_FOUND when it is not open. */
  resize(terminalId: string, cols: number, rows: number): Promise<void>;
  /**
   * Closes a terminal. Resolves when it is closed: with true for whoever closed it, with false when it was closed
   * already or never there. Never rejects.
   */
  close(terminalId: string, origin: CloseOrigin): Promise<boolean>;
  /** Ids of the terminals that are open now. */
  open(): readonly string[];
  /** One that is open now. */
  find(terminalId: string): TerminalView | undefined;
  pty(): PtySupport;
  /**
   * Tells of every terminal that closes from now on, whoever closed it and also when its program ended by itself:
   * once, when it is no longer open and before `close` resolves. Returns how to be told no more.
   */
  onClosed(listener: (closed: ClosedTerminal) => void): () => void;
  /** Tells of everything else that becomes of terminals, in order. Returns how to be told no more. */
  onFact(listener: (fact: TerminalFact) => void): () => void;
}

export const noSuchTerminal = (terminalId: string, operation = "inject"): ClawError =>
  new ClawError("TERMINAL_NOT_FOUND", `terminal ${terminalId} is not open`, { operation, target: terminalId });

const unavailable = (terminalId: string): ClawError =>
  new ClawError("TERMINAL_UNAVAILABLE", "there are no terminals here", { operation: "create", target: terminalId });

/** For a bus that stands alone: there is no terminal to type into. */
export const NO_TERMINALS: Terminals = {
  create: ({ terminalId }) => Promise.reject(unavailable(terminalId)),
  inject: (terminalId) => Promise.reject(noSuchTerminal(terminalId)),
  write: (terminalId) => Promise.reject(noSuchTerminal(terminalId, "write")),
  offset: (terminalId) => Promise.reject(noSuchTerminal(terminalId, "offset")),
  screen: (terminalId) => Promise.reject(noSuchTerminal(terminalId, "screen")),
  whenOutput: (terminalId) => Promise.reject(noSuchTerminal(terminalId, "wait")),
  read: (terminalId) => Promise.reject(noSuchTerminal(terminalId, "read")),
  execute: (terminalId) => Promise.reject(noSuchTerminal(terminalId, "exec")),
  resize: (terminalId) => Promise.reject(noSuchTerminal(terminalId, "resize")),
  close: () => Promise.resolve(false),
  open: () => [],
  find: () => undefined,
  pty: () => ({ loaded: false, loadedFrom: null }),
  onClosed: () => () => undefined,
  onFact: () => () => undefined,
};
