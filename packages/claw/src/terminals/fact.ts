import type { TerminalEnd } from "./about-terminal.ts";
import type { Foreground } from "./foreground.ts";
import type { RanCommand } from "./shell-tracker.ts";

/** An event of a terminal's life. The host keeps the fact until the daemon has stored it. */
export type Fact = {
  readonly id: string;
  /** Grows with every fact of this terminal. */
  readonly number: number;
  /** ISO time. */
  readonly at: string;
} & FactBody;

export type FactBody =
  | { readonly kind: "ready" }
  | ({ readonly kind: "content" } & Foreground)
  | { readonly kind: "command-start"; readonly command: string; readonly from: number }
  | ({ readonly kind: "command-end" } & RanCommand)
  | { readonly kind: "closed"; readonly end: TerminalEnd; readonly correlationId: string | null };
