export type Style = "bold" | "dim" | "italic" | "underline" | "red" | "green" | "yellow" | "cyan";

/** Text and its styles. Characters that could move a terminal's cursor are made harmless when the text is shown. */
export interface Span {
  readonly text: string;
  readonly styles?: readonly Style[];
}

/** Completions for a line that is being typed. */
export interface LineCompletion {
  /** Where the text begins that a candidate would replace; it ends at the cursor. */
  readonly start: number;
  /** The best first. None when nothing fits. */
  readonly candidates: readonly string[];
}

export interface TypedLineRequest {
  /** Stands before the line. */
  readonly prompt: Span;
  /** Lines that can be called back, the newest last. */
  readonly history: readonly string[];
  /** Finds completions at the cursor. Never rejects. */
  readonly complete: (text: string, cursor: number) => Promise<LineCompletion>;
}

export interface ChoiceRequest {
  /**
   * Text before the key; other text waits until the key is pressed. A function shows the question itself, and other
   * text goes on.
   */
  readonly prompt: readonly Span[] | (() => void);
  /** Keys that answer, in lower case; `enter` is the key of that name. */
  readonly keys: readonly string[];
}

/**
 * A terminal that belongs to one session from opening to closing. Keys typed while no line is read are kept for the
 * next line, up to a limit.
 */
export interface Screen {
  /** Characters of a line, as it is now. */
  columns(): number;
  /** Lines a panel has room for, as it is now. */
  panelRows(): number;
  /** Shows text at the end of what was shown before. */
  write(...spans: readonly Span[]): void;
  /**
   * Keeps a line below the shown text, in place of the last such line; null removes it. Shown between whole lines only.
   */
  status(spans: readonly Span[] | null): void;
  /** Like `status` with several lines, each cut to the width. Lines that do not fit on the screen are left out. */
  panel(rows: readonly (readonly Span[])[] | null): void;
  /**
   * Lets the person type a line and resolves with the line, which may hold line ends. Null when the person leaves, or
   * the terminal was closed. Rejects with the signal's reason.
   */
  readLine(request: TypedLineRequest, signal: AbortSignal): Promise<string | null>;
  /**
   * Asks for one key. Keys typed before the question was shown do not count. Null for Esc, and when the terminal was
   * closed. Rejects with the signal's reason.
   */
  choose(request: ChoiceRequest, signal: AbortSignal): Promise<string | null>;
  /** Calls back for each Esc and Ctrl-C while no line is typed, until the returned function is called. */
  watchInterrupt(interrupted: () => void): () => void;
  /** Whether the window of the terminal was closed, so that no person can see the text. */
  isGone(): boolean;
  /** Leaves the terminal as it was found. Idempotent. */
  close(): void;
}
