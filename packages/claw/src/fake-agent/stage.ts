import type { FakeScenario } from "claw-contract";

/** How a process ends. */
export type ProcessEnding = { readonly code: number } | { readonly signal: NodeJS.Signals };

/** The process of a fake agent, without its stdin: output, time, files and signals. */
export interface Backstage {
  /** Writes all bytes, in order. Resolves when the bytes are written; false when the reader has left. */
  write(to: "stdout" | "stderr", bytes: Uint8Array): Promise<boolean>;
  /**
   * Resolves after `ms` milliseconds, never for Infinity. Rejects with the signal's reason when the signal is aborted
   * first.
   */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Writes a file as a whole. Rejects when it cannot. */
  writeFile(path: string, text: string): Promise<void>;
  /** From now on SIGINT and SIGTERM do not end the process; the callback gets the name instead. */
  onSignal(told: (name: "SIGINT" | "SIGTERM") => void): void;
  /** Delivers keys at once when they are pressed, where stdin is a terminal. */
  rawInput(): void;
  /** Columns of the terminal on stdout; a usual width where stdout is no terminal. */
  columns(): number;
  /** A new UUID. */
  uuid(): string;
  now(): Date;
}

/** The process of a fake agent, stdin included. */
export interface Stage extends Backstage {
  /** Bytes of stdin as they come, until it is closed. To be read once. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Whether stdin is a terminal instead of a pipe or a file. */
  readonly inputIsTerminal: boolean;
}

/** The reader of stdout has left, so no output is needed any more. */
export class AudienceLeft extends Error {}

/** A text printed at once instead of playing a scenario: the stream, and the exit code of the process. */
export interface EarlyAnswer {
  readonly to: "stdout" | "stderr";
  readonly text: string;
  readonly code: number;
}

export const isEarlyAnswer = (call: object): call is EarlyAnswer => "to" in call;

/** What a process of a fake agent is given. */
export interface Play {
  readonly argv: readonly string[];
  readonly scenario: FakeScenario;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stage: Stage;
}
