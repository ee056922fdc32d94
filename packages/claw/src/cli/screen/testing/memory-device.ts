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
}

export function createMemoryDevice(): MemoryDevice {
  let written = "";
  let columns = 40;
  let onInput: ((text: string | null) => void) | null = null;
  let onLeave: (() => void) | null = null;
  let onResize: (() => void) | null = null;
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
    onReturn: () => () => undefined,
    suspend: () => undefined,
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
