import type {
  CloseOrigin,
  ExecutedCommand,
  Terminal,
  TerminalChange,
  TerminalClosing,
  TerminalRequest,
  TerminalScreen,
} from "claw-contract";
import { ClawError } from "claw-contract";

export interface InjectOptions {
  /** Types the text as one bracketed paste: line ends inside the text then do not submit it. */
  readonly paste: boolean;
}

/** The pty library behind the terminals, as clients of the wire read it. */
export interface PtySupport {
  /** False where there are no real terminals. */
  readonly loaded: boolean;
  /** Null when nothing is loaded. */
  readonly loadedFrom: string | null;
  /** Why nothing could be loaded. */
  readonly error?: string;
}

/** The end of a terminal, as far as known: no program's end is known of a terminal whose host is gone. */
export type ClosedTerminal = Pick<TerminalClosing, "terminalId" | "origin" | "correlationId"> &
  Partial<Pick<TerminalClosing, "exitCode" | "signal">>;

/**
 * Called with whether the change was stored. A change that was not stored is reported again after a restart. Undefined
 * for a change that cannot be reported again.
 */
export type SettleFact = ((stored: boolean) => void) | undefined;

/** A piece of a terminal's output. */
export interface TerminalBytes {
  readonly bytes: Uint8Array;
  /** Position of the first byte, since the terminal began. */
  readonly offset: number;
  /** Number of output bytes since the terminal began. */
  readonly total: number;
}

/** The terminals that workers run in, as far as the bus needs them. Ids are compared as they are. */
export interface Terminals {
  /**
   * Opens a terminal. Resolves when its program runs; rejects with TERMINAL_UNAVAILABLE where there are none, with
   * TERMINAL_HOST_FAILED when it could not be started.
   */
  create(request: TerminalRequest): Promise<Terminal>;
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
  /**
   * Number of output bytes since the terminal began, also of a closed terminal. Rejects with TERMINAL_NOT_FOUND for an
   * unknown terminal.
   */
  offset(terminalId: string): Promise<number>;
  /** The screen as shown now, or as last shown. Rejects with TERMINAL_NOT_FOUND for an unknown terminal. */
  screen(terminalId: string): Promise<TerminalScreen>;
  /**
   * Resolves with the new offset as soon as there is output past `fromOffset`: at once when there is such output.
   * Rejects with TERMINAL_NOT_FOUND when the terminal is closed or closes meanwhile, and with the signal's reason.
   */
  whenOutput(terminalId: string, fromOffset: number, signal: AbortSignal): Promise<number>;
  /**
   * Reads output, also of a closed terminal. Without an offset, reads the last bytes. An offset that is no longer kept
   * is raised to the oldest kept offset. Rejects with TERMINAL_NOT_FOUND for an unknown terminal.
   */
  read(terminalId: string, range: { readonly offset?: number; readonly limit: number }): Promise<TerminalBytes>;
  /**
   * Runs a command line in the shell and resolves when it ended. Commands of one terminal run one after the other.
   * Rejects with TERMINAL_NOT_FOUND, and with the signal's reason.
   */
  execute(terminalId: string, command: string, signal: AbortSignal): Promise<ExecutedCommand>;
  /** Rejects with TERMINAL_NOT_FOUND when it is not open. */
  resize(terminalId: string, cols: number, rows: number): Promise<void>;
  /**
   * Closes a terminal. Resolves when the terminal is closed: with true for the call that closed the terminal, with
   * false when the terminal was closed already or never existed. Never rejects.
   */
  close(terminalId: string, origin: CloseOrigin): Promise<boolean>;
  /** Ids of the terminals that are open now. */
  open(): readonly string[];
  /** An open terminal; undefined for any other id. */
  find(terminalId: string): Terminal | undefined;
  pty(): PtySupport;
  /**
   * Calls the listener once for every terminal that closes from now on, also when the terminal's program ended by
   * itself. The call comes when the terminal is no longer open, and before `close` resolves. Returns a function that
   * removes the listener.
   */
  onClosed(listener: (closed: ClosedTerminal, settle: SettleFact) => void): () => void;
  /**
   * Calls the listener with every other fact about terminals, in order. Returns a function that removes the listener.
   */
  onFact(listener: (fact: TerminalChange, settle: SettleFact) => void): () => void;
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
