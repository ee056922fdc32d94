import { createRequire } from "node:module";
import type * as NodePty from "@lydell/node-pty";
import type * as Headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import type { TerminalScreen } from "claw-contract";
import { createMemoryTerminals } from "../../../../bus/terminals/memory-terminals.ts";
import type { Terminals } from "../../../../bus/terminals/terminals.ts";
import { noSuchTerminal } from "../../../../bus/terminals/terminals.ts";
import { solidText } from "../../../../terminals/screen/solid-text.ts";
import { watchCursor } from "../../../../terminals/screen/watch-cursor.ts";

const require = createRequire(import.meta.url);
const { spawn } = require("@lydell/node-pty") as typeof NodePty;
const { Terminal } = require("@xterm/headless") as typeof Headless;

interface Pty {
  readonly process: NodePty.IPty;
  readonly screen: Headless.Terminal;
  readonly cursorHidden: () => boolean;
  readonly output: Buffer[];
  /** Ends when what came so far is on the screen. */
  drawn: Promise<void>;
  total: number;
  open: boolean;
}

/** Where a program runs, and how large its terminal is. */
export interface PtyPlace {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly cols?: number;
  readonly rows?: number;
}

export interface PtyTerminals extends Terminals {
  /** Starts a program in a terminal of its own; ended with the test. */
  start(terminalId: string, argv: readonly [string, ...string[]], place?: PtyPlace): void;
}

function screenOf({ screen, total, cursorHidden }: Pty): TerminalScreen {
  const { active } = screen.buffer;
  const rows = Array.from({ length: screen.rows }, (_, y) => active.getLine(active.baseY + y));
  const lines = rows.map((line) => line?.translateToString(true) ?? "");
  return {
    text: lines.join("\n").trimEnd(),
    lines,
    cursor: { x: active.cursorX, y: active.cursorY },
    cols: screen.cols,
    rows: screen.rows,
    exact: true,
    offset: total,
    bracketedPaste: screen.modes.bracketedPasteMode,
    wrapped: rows.map((line) => line?.isWrapped ?? false),
    solid: rows.map((line, y) => solidText(line, y === active.cursorY ? active.cursorX : undefined)),
    cursorHidden: cursorHidden(),
  };
}

/** Real terminals in this process, with true screens. */
export function createPtyTerminals(): PtyTerminals {
  const memory = createMemoryTerminals();
  const all = new Map<string, Pty>();
  const listeners = new Set<() => void>();
  const tell = (): void => [...listeners].forEach((listener) => listener());
  const of = (terminalId: string): Pty => {
    const pty = all.get(terminalId);
    if (pty === undefined) throw noSuchTerminal(terminalId);
    return pty;
  };
  const takeIn = (pty: Pty, bytes: Buffer): void => {
    pty.output.push(bytes);
    pty.total += bytes.length;
    pty.drawn = new Promise((drawn) => pty.screen.write(bytes, drawn));
    tell();
  };
  return {
    ...memory,
    start: (terminalId, [file, ...args], { env = process.env, cwd = process.cwd(), cols = 80, rows = 24 } = {}) => {
      const child = spawn(file, args, { cols, rows, cwd, env, name: "xterm-256color", encoding: null });
      const screen = new Terminal({ cols, rows, allowProposedApi: true });
      const cursorHidden = watchCursor(screen);
      const pty: Pty = {
        process: child,
        screen,
        cursorHidden,
        output: [],
        drawn: Promise.resolve(),
        total: 0,
        open: true,
      };
      all.set(terminalId, pty);
      memory.add(terminalId);
      child.onData((data) => takeIn(pty, data as unknown as Buffer));
      const ended = new Promise<void>((resolve) => {
        child.onExit(() => {
          pty.open = false;
          void memory.close(terminalId, "error");
          tell();
          resolve();
        });
      });
      onTestFinished(async () => {
        if (pty.open) child.kill("SIGKILL");
        await ended;
        screen.dispose();
      });
    },
    write: async (terminalId, bytes) => {
      if (!of(terminalId).open) throw noSuchTerminal(terminalId);
      of(terminalId).process.write(Buffer.from(bytes).toString());
    },
    offset: async (terminalId) => of(terminalId).total,
    read: async (terminalId, { offset, limit }) => {
      const whole = Buffer.concat(of(terminalId).output);
      const from = offset ?? Math.max(0, whole.length - limit);
      return { bytes: whole.subarray(from, from + limit), offset: from, total: whole.length };
    },
    screen: async (terminalId) => {
      const pty = of(terminalId);
      await pty.drawn;
      return screenOf(pty);
    },
    whenOutput: (terminalId, fromOffset, signal) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const pty = all.get(terminalId);
          if (signal.aborted) reject(signal.reason as Error);
          else if (pty !== undefined && pty.total > fromOffset) resolve(pty.total);
          else if (pty?.open !== true) reject(noSuchTerminal(terminalId));
          else return;
          listeners.delete(look);
          signal.removeEventListener("abort", look);
        };
        listeners.add(look);
        signal.addEventListener("abort", look);
        look();
      }),
  };
}
