/** The terminal this program was started on, as bytes both ways. */
export interface RawTerminal {
  columns(): number;
  rows(): number;
  /** Says whether somebody still looks. */
  write(bytes: Uint8Array): boolean;
  /** Takes what is typed as it is, until the terminal is closed. `null` is its end. */
  listen(typed: (bytes: Uint8Array | null) => void): void;
  onResize(resized: () => void): void;
  /** Leaves the terminal as it was found, whatever was shown on it. Idempotent; happens when the process exits, too. */
  close(): void;
}
