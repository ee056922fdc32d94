/** A change of a terminal, to be stored as events. */
export type TerminalFact = {
  readonly terminalId: string;
  /** Grows with every fact of the terminal. By the number the bus recognises a fact that is stored already. */
  readonly number: number;
  /** ISO time. */
  readonly at: string;
  /** Called with whether the fact was stored. A fact that was not stored is reported again after a restart. */
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
