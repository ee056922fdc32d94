/** Something that became of a terminal and is to be written down. */
export type TerminalFact = {
  readonly terminalId: string;
  /** Grows with every fact of this terminal: one that was written down already is told by it. */
  readonly number: number;
  /** ISO time. */
  readonly at: string;
  /** Told whether it was written down. Until it was, it is told again after a restart. */
  readonly settle?: ((stored: boolean) => void) | undefined;
} & (
  | { readonly kind: "ready" }
  | {
      readonly kind: "content";
      readonly contentType: string;
      readonly foregroundPid: number | null;
      readonly basename: string | null;
    }
  | { readonly kind: "command-start"; readonly command: string; readonly offset: number }
  | {
      readonly kind: "command-end";
      readonly command: string;
      readonly exitCode: number | null;
      readonly startedAt: string;
      /** Where its output begins and ends. */
      readonly from: number;
      readonly to: number;
      readonly degraded: boolean;
    }
);
