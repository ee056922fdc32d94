import type { CloseOrigin } from "@claw/contract/schemas";
import type { ClosedTerminal, Terminals } from "./terminals.ts";
import { noSuchTerminal } from "./terminals.ts";

export interface MemoryTerminals extends Terminals {
  /** What was typed, oldest first. */
  readonly typed: { readonly terminalId: string; readonly text: string; readonly paste: boolean }[];
  readonly closed: ClosedTerminal[];
  /** Opens a terminal under an id; one that is open stays as it is. */
  add(terminalId: string, correlationId?: string): void;
}

/** Terminals without a screen, for tests: they keep what is typed until they are closed. */
export function createMemoryTerminals(): MemoryTerminals {
  const typed: MemoryTerminals["typed"] = [];
  const closed: ClosedTerminal[] = [];
  const opened = new Map<string, string | undefined>();
  const listeners = new Set<(closed: ClosedTerminal) => void>();
  const end = (terminalId: string, origin: CloseOrigin): boolean => {
    const correlationId = opened.get(terminalId);
    if (!opened.delete(terminalId)) return false;
    const told = { terminalId, origin, ...(correlationId === undefined ? {} : { correlationId }) };
    closed.push(told);
    for (const listener of listeners) listener(told);
    return true;
  };
  return {
    typed,
    closed,
    add: (terminalId, correlationId) => void (opened.has(terminalId) || opened.set(terminalId, correlationId)),
    inject: (terminalId, text, { paste }) => {
      if (!opened.has(terminalId)) return Promise.reject(noSuchTerminal(terminalId));
      typed.push({ terminalId, text, paste });
      return Promise.resolve();
    },
    close: (terminalId, origin) => Promise.resolve(end(terminalId, origin)),
    open: () => [...opened.keys()],
    pty: () => ({ loaded: false, loadedFrom: null, error: "terminals in memory" }),
    onClosed: (listener) => {
      const own = (told: ClosedTerminal): void => listener(told);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
