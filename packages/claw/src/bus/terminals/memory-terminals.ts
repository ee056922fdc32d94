import type { CloseOrigin, Terminal, TerminalChange, TerminalRequest } from "claw-contract";
import type { ClosedTerminal, SettleFact, Terminals } from "./terminals.ts";
import { noSuchTerminal } from "./terminals.ts";

export interface MemoryTerminals extends Terminals {
  /** Typed texts, oldest first. */
  readonly typed: { readonly terminalId: string; readonly text: string; readonly paste: boolean }[];
  /** Bytes written without change, oldest first. */
  readonly written: { readonly terminalId: string; readonly bytes: Uint8Array }[];
  readonly closed: ClosedTerminal[];
  /** Opens a terminal under an id. A terminal that is already open stays unchanged. */
  add(terminalId: string, correlationId?: string): void;
  /** Lets the terminal's program print output. */
  print(terminalId: string, output: string | Uint8Array): void;
  /** Reports a fact to the listeners, as if the fact had happened to a terminal. */
  tell(fact: TerminalChange): void;
}

interface Opened {
  readonly view: Terminal;
  output: Buffer;
  open: boolean;
}

const terminalOf = ({ terminalId, name, argv = ["sh"], cwd = "/", ...more }: TerminalRequest): Terminal => ({
  id: terminalId,
  name,
  pid: 0,
  program: null,
  argv,
  cwd,
  cols: more.cols ?? 80,
  rows: more.rows ?? 24,
  openedAt: "2026-01-01T00:00:00.000Z",
  correlationId: more.correlationId ?? null,
  workerId: more.workerId ?? null,
  integrated: false,
  end: null,
  sizes: [],
});

/** Listeners, called in the order of adding. */
function createListeners<Args extends readonly unknown[]>(): {
  add(listener: (...args: Args) => void): () => void;
  tell(...args: Args): void;
} {
  const listeners = new Set<(...args: Args) => void>();
  return {
    add: (listener) => {
      const own = (...args: Args): void => listener(...args);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    tell: (...args) => listeners.forEach((listener) => listener(...args)),
  };
}

type ScreenReading = Pick<Terminals, "offset" | "screen" | "read" | "execute" | "resize">;

/** Operations on a single terminal. The screen shows all printed output. */
function reading(
  known: (terminalId: string, operation: string) => Promise<Opened>,
  typed: MemoryTerminals["typed"],
): ScreenReading {
  return {
    offset: async (terminalId) => (await known(terminalId, "offset")).output.length,
    screen: async (terminalId) => {
      const { output, view } = await known(terminalId, "screen");
      const lines = output.toString().split("\n");
      const cursor = { x: lines.at(-1)?.length ?? 0, y: lines.length - 1 };
      const { cols, rows } = view;
      return { text: lines.join("\n"), lines, cursor, cols, rows, exact: true, offset: output.length };
    },
    read: async (terminalId, { offset, limit }) => {
      const { output } = await known(terminalId, "read");
      const from = Math.min(output.length, offset ?? Math.max(0, output.length - limit));
      return { bytes: output.subarray(from, from + limit), offset: from, total: output.length };
    },
    execute: async (terminalId, command) => {
      await known(terminalId, "exec");
      typed.push({ terminalId, text: command, paste: false });
      return { command, output: "", exitCode: null, startedAt: 0, endedAt: 0, from: 0, to: 0, degraded: true };
    },
    resize: async (terminalId) => void (await known(terminalId, "resize")),
  };
}

/**
 * Resolves with the result of `look` once `look` finds one. Rejects when `look` throws, or with the signal's reason.
 */
function whenFound(
  look: () => number | undefined,
  changes: { add(listener: () => void): () => void },
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const attempt = (): boolean => {
      try {
        signal.throwIfAborted();
        const found = look();
        if (found !== undefined) resolve(found);
        return found !== undefined;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    if (attempt()) return;
    const stop = changes.add(() => void (attempt() && stop()));
    signal.addEventListener("abort", () => void (attempt() && stop()), { once: true });
  });
}

class TerminalsInMemory implements Omit<MemoryTerminals, keyof ScreenReading> {
  readonly typed: { terminalId: string; text: string; paste: boolean }[] = [];
  readonly written: { terminalId: string; bytes: Uint8Array }[] = [];
  readonly closed: ClosedTerminal[] = [];
  readonly #terminals = new Map<string, Opened>();
  readonly #closings = createListeners<[ClosedTerminal, SettleFact]>();
  readonly #facts = createListeners<[TerminalChange, SettleFact]>();
  readonly #changes = createListeners<[string]>();

  readonly known = (terminalId: string, operation: string): Promise<Opened> => {
    const terminal = this.#terminals.get(terminalId);
    return terminal === undefined ? Promise.reject(noSuchTerminal(terminalId, operation)) : Promise.resolve(terminal);
  };
  readonly add = (terminalId: string, correlationId?: string): void =>
    void this.#opened({ terminalId, name: terminalId, correlationId });
  readonly print = (terminalId: string, output: string | Uint8Array): void => {
    const terminal = this.#terminals.get(terminalId);
    const bytes = typeof output === "string" ? Buffer.from(output) : output;
    if (terminal !== undefined) terminal.output = Buffer.concat([terminal.output, bytes]);
    this.#changes.tell(terminalId);
  };
  readonly tell = (fact: TerminalChange): void => this.#facts.tell(fact, undefined);
  readonly create = (request: TerminalRequest): Promise<Terminal> => Promise.resolve(this.#opened(request));
  readonly inject: Terminals["inject"] = (terminalId, text, { paste }) =>
    this.#type(terminalId, "inject", () => this.typed.push({ terminalId, text, paste }));
  readonly write: Terminals["write"] = (terminalId, bytes) =>
    this.#type(terminalId, "write", () => this.written.push({ terminalId, bytes }));
  readonly whenOutput: Terminals["whenOutput"] = (terminalId, fromOffset, signal) => {
    const look = (): number | undefined => {
      const output = this.#openOne(terminalId)?.output.length;
      if (output === undefined) throw noSuchTerminal(terminalId, "wait");
      return output > fromOffset ? output : undefined;
    };
    return whenFound(look, this.#changes, signal);
  };
  readonly close: Terminals["close"] = (terminalId, origin) => Promise.resolve(this.#end(terminalId, origin));
  readonly open = (): readonly string[] =>
    [...this.#terminals].flatMap(([terminalId, terminal]) => (terminal.open ? terminalId : []));
  readonly find = (terminalId: string): Terminal | undefined => this.#openOne(terminalId)?.view;
  readonly pty: Terminals["pty"] = () => ({ loaded: false, loadedFrom: null, error: "terminals in memory" });
  readonly onClosed: Terminals["onClosed"] = (listener) => this.#closings.add(listener);
  readonly onFact: Terminals["onFact"] = (listener) => this.#facts.add(listener);

  #openOne(terminalId: string): Opened | undefined {
    const terminal = this.#terminals.get(terminalId);
    return terminal?.open === true ? terminal : undefined;
  }

  #opened(request: TerminalRequest): Terminal {
    const known = this.#openOne(request.terminalId);
    if (known !== undefined) return known.view;
    const view = terminalOf(request);
    this.#terminals.set(request.terminalId, { view, output: Buffer.alloc(0), open: true });
    return view;
  }

  #type(terminalId: string, operation: string, take: () => void): Promise<void> {
    if (this.#openOne(terminalId) === undefined) return Promise.reject(noSuchTerminal(terminalId, operation));
    take();
    return Promise.resolve();
  }

  #end(terminalId: string, origin: CloseOrigin): boolean {
    const terminal = this.#openOne(terminalId);
    if (terminal === undefined) return false;
    terminal.open = false;
    const { correlationId } = terminal.view;
    const args = { terminalId, origin, correlationId };
    this.closed.push(args);
    this.#closings.tell(args, undefined);
    this.#changes.tell(terminalId);
    return true;
  }
}

/** Terminals without a pty, for tests: typed texts are kept in memory. */
export function createMemoryTerminals(): MemoryTerminals {
  const terminals = new TerminalsInMemory();
  return Object.assign(terminals, reading(terminals.known, terminals.typed));
}
