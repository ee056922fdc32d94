/** The terminal this program was started on, as bytes both ways. */
export interface RawTerminal {
  columns(): number;
  rows(): number;
  /** Returns false when the terminal is closed. */
  write(bytes: Uint8Array): boolean;
  /** Passes typed bytes on unchanged until the terminal is closed; `null` marks the end. */
  listen(typed: (bytes: Uint8Array | null) => void): void;
  onResize(resized: () => void): void;
  /** Restores the terminal, whatever was shown on it. Idempotent; also happens when the process exits. */
  close(): void;
}
