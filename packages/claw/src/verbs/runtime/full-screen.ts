import type { Span } from "./screen.ts";

/** A row of a full screen. */
export type ScreenRow = readonly Span[];

/** The name of a key, such as `up` or `page-down`, or the character that it types. */
export type ScreenKey = string;

/**
 * The whole terminal, apart from what was shown before. Pasted text is dropped: it must not press keys. The terminal is
 * left as it was found when the screen closes, when the process is stopped (and taken again when it goes on), and when
 * it ends.
 */
export interface FullScreen {
  columns(): number;
  rows(): number;
  /** Shows rows from the top; a row that is too long is cut. Only what has changed is written. */
  draw(rows: readonly ScreenRow[]): void;
  /** Calls back for each key, and with null when the terminal was closed. One listener. */
  onKey(pressed: (key: ScreenKey | null) => void): void;
  /** Calls back when the size has changed, and when everything has to be drawn again. */
  onResize(resized: () => void): void;
  /** Gives the terminal away while `work` runs, and takes it back. Rejects as `work` does. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the window of the terminal was closed. */
  isGone(): boolean;
  /** Idempotent. */
  close(): void;
}
