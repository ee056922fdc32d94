import { ClawError } from "@claw/contract";
import type { CloseOrigin } from "@claw/contract/schemas";

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
}

/** The terminals that workers run in, as far as the bus needs them. */
export interface Terminals {
  /**
   * Types a text and Enter. Texts for one terminal are typed one after the other, in the order of the calls. Resolves
   * when the terminal took it; rejects with TERMINAL_NOT_FOUND when it is not open.
   */
  inject(terminalId: string, text: string, options: InjectOptions): Promise<void>;
  /**
   * Closes a terminal. Resolves when it is closed: with true for whoever closed it, with false when it was closed
   * already or never there. Never rejects.
   */
  close(terminalId: string, origin: CloseOrigin): Promise<boolean>;
  /** Ids of the terminals that are open now. */
  open(): readonly string[];
  pty(): PtySupport;
  /**
   * Tells of every terminal that closes from now on, whoever closed it and also when its program ended by itself:
   * once, when it is no longer open and before `close` resolves. Returns how to be told no more.
   */
  onClosed(listener: (closed: ClosedTerminal) => void): () => void;
}

export const noSuchTerminal = (terminalId: string): ClawError =>
  new ClawError("TERMINAL_NOT_FOUND", `terminal ${terminalId} is not open`, {
    operation: "inject",
    target: terminalId,
  });

/** For a bus that stands alone: there is no terminal to type into. */
export const NO_TERMINALS: Terminals = {
  inject: (terminalId) => Promise.reject(noSuchTerminal(terminalId)),
  close: () => Promise.resolve(false),
  open: () => [],
  pty: () => ({ loaded: false, loadedFrom: null }),
  onClosed: () => () => undefined,
};
