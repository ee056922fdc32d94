export type Style = "bold" | "dim" | "italic" | "underline" | "red" | "green" | "yellow" | "cyan";

/** Text and how it looks. What could move a terminal's cursor in it is made harmless when it is shown. */
export interface Span {
  readonly text: string;
  readonly styles?: readonly Style[];
}

/** What could stand in a line that is being typed. */
export interface Completion {
  /** Where the text begins that a candidate would replace; it ends at the cursor. */
  readonly start: number;
  /** The best first. None when nothing fits. */
  readonly candidates: readonly string[];
}

export interface LineRequest {
  /** Stands before the line. */
  readonly prompt: Span;
  /** Lines that can be called back, the newest last. */
  readonly history: readonly string[];
  /** Looks for what could stand at the cursor. Never rejects. */
  readonly complete: (text: string, cursor: number) => Promise<Completion>;
}

export interface ChoiceRequest {
  /** Stands before the key, and other text waits until that was pressed; or shows the question itself, and text goes on. */
  readonly prompt: readonly Span[] | (() => void);
  /** Keys that answer, in lower case; `enter` is the key of that name. */
  readonly keys: readonly string[];
}

/**
 * A terminal that belongs to one session from opening to closing. What is typed while nobody reads is kept for the next
 * line, up to a limit.
 */
export interface Screen {
  /** Characters of a line, as it is now. */
  columns(): number;
  /** Lines a panel has room for, as it is now. */
  panelRows(): number;
  /** Shows text at the end of what was shown before. */
  write(...spans: readonly Span[]): void;
  /** Keeps a line below what was shown, in place of the one before; null removes it. Shown between whole lines only. */
  status(spans: readonly Span[] | null): void;
  /** The same with several lines, each cut to the width; those that do not fit below each other are left out. */
  panel(rows: readonly (readonly Span[])[] | null): void;
  /**
   * Lets a line be typed and resolves with it; it may hold line ends. Null when the person leaves, or the terminal was
   * closed. Rejects with the signal's reason.
   */
  readLine(request: LineRequest, signal: AbortSignal): Promise<string | null>;
  /**
   * Asks for one key. Keys typed before the question was shown do not count. Null for Esc, and when the terminal was
   * closed. Rejects with the signal's reason.
   */
  choose(request: ChoiceRequest, signal: AbortSignal): Promise<string | null>;
  /** Calls back for each Esc and Ctrl-C while no line is typed, until the returned function is called. */
  watchInterrupt(interrupted: () => void): () => void;
  /** Whether nobody can see it any more: its window was closed. */
  isGone(): boolean;
  /** Leaves the terminal as it was found. Idempotent. */
  close(): void;
}
