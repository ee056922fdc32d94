import type { TerminalScreen } from "claw-contract";
import type { MemoryTerminals } from "../../../../bus/terminals/memory-terminals.ts";
import { createMemoryTerminals } from "../../../../bus/terminals/memory-terminals.ts";
import type { Sleep } from "../injection-pace.ts";

const COLUMNS = 40;
const RULE = "─".repeat(COLUMNS);

/** A screen with these lines, and the cursor at a place in them. */
export const screenWith = (lines: readonly string[], cursor: TerminalScreen["cursor"], more = {}): TerminalScreen => ({
  text: lines.join("\n"),
  lines,
  cursor,
  cols: COLUMNS,
  rows: lines.length,
  exact: true,
  offset: 0,
  bracketedPaste: true,
  ...more,
});

/** Claude Code's prompt with a text in it. */
export const promptWith = (text: string, more = {}): TerminalScreen =>
  screenWith([RULE, `❯ ${text}`, RULE, "  ?"], { x: 2 + text.length, y: 1 }, more);

export const QUESTION = screenWith([RULE, " Write the file?", " ❯ 1. Yes", "   2. No", " Esc to cancel"], {
  x: 1,
  y: 2,
});

export const UNKNOWN = screenWith(["loading"], { x: 0, y: 0 });

/** What a terminal does in a test. */
export interface TerminalScript {
  /** What is seen, look by look. The offset of each is the number of the look, counted from 1. */
  readonly screens: readonly TerminalScreen[];
  /** What each wait for output resolves with; null, or nothing more, for one that resolves never. */
  readonly outputs?: readonly (number | null)[];
  /** Pauses that last until they are given up. All others are over at once. */
  readonly long?: readonly number[];
  /** Called at a look, or a wait for output, that the script has nothing for: ends a test that would go on for ever. */
  readonly end: () => void;
}

/** A terminal that follows a script and never takes any time. */
export interface ScriptedTerminal {
  readonly terminals: MemoryTerminals;
  readonly pause: Sleep;
  /** In order: `look`, `type …`, `enter`, `pause MS`, `output past OFFSET`, and what a test adds. */
  readonly happened: string[];
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

export function scriptTerminal({ screens, outputs, long = [], end }: TerminalScript): ScriptedTerminal {
  const happened: string[] = [];
  let looks = 0;
  let waits = 0;
  const terminals: MemoryTerminals = {
    ...createMemoryTerminals(),
    offset: async () => looks,
    screen: async () => {
      const screen = screens[looks];
      looks += 1;
      if (screen === undefined) end();
      happened.push("look");
      return { ...(screen ?? UNKNOWN), offset: looks };
    },
    write: async (_id, bytes) => {
      const text = new TextDecoder().decode(bytes);
      const paste = /^\u001b\[200~(.*)\u001b\[201~$/s.exec(text)?.[1];
      if (text === "\r") happened.push("enter");
      else happened.push(paste === undefined ? `type ${text}` : `paste ${paste}`);
    },
    whenOutput: (_id, offset, signal) => {
      happened.push(`output past ${offset}`);
      const output = outputs?.[waits];
      waits += 1;
      if (outputs !== undefined && waits > outputs.length) end();
      return typeof output === "number" ? Promise.resolve(output) : untilAborted(signal);
    },
  };
  const pause: Sleep = async (ms, signal) => {
    happened.push(`pause ${ms}`);
    signal.throwIfAborted();
    if (long.includes(ms)) await untilAborted(signal);
  };
  return { terminals, pause, happened };
}
