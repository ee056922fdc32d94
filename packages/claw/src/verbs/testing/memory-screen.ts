import type { TypedLineRequest, Screen, Span } from "../runtime/screen.ts";

/** A screen without a terminal. What is typed is given beforehand or while it goes on; what is shown is kept. */
export interface MemoryScreen extends Screen {
  /** Plain text of everything shown. */
  text(): string;
  /** The same as it looks: `<style>text</style>`. */
  styled(): string;
  /** Types a line for the next reader. Null leaves. */
  type(...lines: (string | null)[]): void;
  /** Answers the next questions. */
  answer(...keys: (string | null)[]): void;
  /** Presses Esc. */
  interrupt(): void;
  /** What was asked for last. */
  lastRequest(): TypedLineRequest | undefined;
  isClosed(): boolean;
}

const look = ({ text, styles = [] }: Span): string =>
  styles.reduce((inner, style) => (inner.trim() === "" ? inner : `<${style}>${inner}</${style}>`), text);

export function createMemoryScreen(columns = 80): MemoryScreen {
  const shown: Span[] = [];
  const lines: (string | null)[] = [];
  const keys: (string | null)[] = [];
  const watchers = new Set<() => void>();
  let request: TypedLineRequest | undefined;
  let isClosed = false;
  return {
    columns: () => columns,
    panelRows: () => Infinity,
    write: (...spans) => void shown.push(...spans),
    status: () => undefined,
    panel: () => undefined,
    readLine: (given, signal) => {
      signal.throwIfAborted();
      request = given;
      // Nobody types any more.
      return Promise.resolve(lines.shift() ?? null);
    },
    choose: ({ prompt }, signal) => {
      signal.throwIfAborted();
      if (typeof prompt === "function") prompt();
      else shown.push(...prompt, { text: "\n" });
      return Promise.resolve(keys.shift() ?? null);
    },
    watchInterrupt: (interrupted) => {
      watchers.add(interrupted);
      return () => watchers.delete(interrupted);
    },
    isGone: () => false,
    close: () => {
      isClosed = true;
    },
    text: () => shown.map(({ text }) => text).join(""),
    styled: () => shown.map(look).join(""),
    type: (...more) => void lines.push(...more),
    answer: (...more) => void keys.push(...more),
    interrupt: () => {
      for (const interrupted of watchers) interrupted();
    },
    lastRequest: () => request,
    isClosed: () => isClosed,
  };
}
