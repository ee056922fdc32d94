export interface InjectOptions {
  /** As one bracketed paste, so that line ends inside the text do not submit it. */
  readonly paste: boolean;
}

/** The terminals that workers run in, as far as the bus needs them. */
export interface Terminals {
  /** Types a text and Enter. Resolves when the terminal took it; rejects when there is no such terminal. */
  inject(terminalId: string, text: string, options: InjectOptions): Promise<void>;
  /** Closes a terminal. Resolves with false when it was closed already. */
  close(terminalId: string, origin: string): Promise<boolean>;
}

export interface MemoryTerminals extends Terminals {
  /** What was typed, oldest first. */
  readonly typed: { readonly terminalId: string; readonly text: string; readonly paste: boolean }[];
  readonly closed: { readonly terminalId: string; readonly origin: string }[];
}

/** Terminals without a screen: whatever their id, they take text until they are closed. */
export function createMemoryTerminals(): MemoryTerminals {
  const typed: MemoryTerminals["typed"] = [];
  const closed: MemoryTerminals["closed"] = [];
  const isClosed = (terminalId: string): boolean => closed.some((one) => one.terminalId === terminalId);
  return {
    typed,
    closed,
    inject: (terminalId, text, { paste }) => {
      if (isClosed(terminalId)) return Promise.reject(new Error(`terminal ${terminalId} is closed`));
      typed.push({ terminalId, text, paste });
      return Promise.resolve();
    },
    close: (terminalId, origin) => {
      if (isClosed(terminalId)) return Promise.resolve(false);
      closed.push({ terminalId, origin });
      return Promise.resolve(true);
    },
  };
}

/** For a bus that stands alone: there is no terminal to type into. */
export const NO_TERMINALS: Terminals = {
  inject: (terminalId) => Promise.reject(new Error(`no terminal ${terminalId}`)),
  close: () => Promise.resolve(false),
};
