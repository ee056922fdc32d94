import type { TerminalDevice } from "../terminal-device.ts";

/** A terminal without one: what is typed comes from a test, what is written is kept. */
export interface MemoryDevice extends TerminalDevice {
  type(text: string | null): void;
  resize(columns: number): void;
  /** Says that the process ends. */
  leave(): void;
  /** Everything that was written since the last look. */
  taken(): string;
  readonly isListening: () => boolean;
  /** Another process asks this one to stop, and to go on. */
  stop(): void;
  goOn(): void;
  /** How often the process was stopped. */
  suspensions(): number;
}

export function createMemoryDevice(): MemoryDevice {
  let written = "";
  let columns = 40;
  let onInput: ((text: string | null) => void) | null = null;
  let onLeave: (() => void) | null = null;
  let onResize: (() => void) | null = null;
  let onReturn: (() => void) | null = null;
  let onStop: (() => void) | null = null;
  let suspended = 0;
  return {
    columns: () => columns,
    rows: () => 10,
    write: (text) => {
      written += text;
      return true;
    },
    listen: (listener) => {
      onInput = listener;
      return () => {
        onInput = null;
      };
    },
    onResize: (resized) => {
      onResize = resized;
      return () => {
        onResize = null;
      };
    },
    onLeave: (leave) => {
      onLeave = leave;
      return () => {
        onLeave = null;
      };
    },
    onReturn: (back) => {
      onReturn = back;
      return () => {
        onReturn = null;
      };
    },
    onStop: (stop) => {
      onStop = stop;
      return () => {
        onStop = null;
      };
    },
    suspend: () => void (suspended += 1),
    stop: () => onStop?.(),
    goOn: () => onReturn?.(),
    suspensions: () => suspended,
    type: (text) => onInput?.(text),
    resize: (width) => {
      columns = width;
      onResize?.();
    },
    leave: () => onLeave?.(),
    isListening: () => onInput !== null,
    taken: () => {
      const text = written;
      written = "";
      return text;
    },
  };
}
