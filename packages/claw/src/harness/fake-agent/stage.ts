/** How a process ends. */
export type Ending = { readonly code: number } | { readonly signal: NodeJS.Signals };

/** What a program that plays another one has of its process, besides its stdin. */
export interface Backstage {
  /** Writes all of it, in order. Resolves when it is written; false when nobody reads any more. */
  write(to: "stdout" | "stderr", bytes: Uint8Array): Promise<boolean>;
  /** Resolves after that time, Infinity is never; rejects with the signal's reason when that is aborted first. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Writes a file as a whole. Rejects when it cannot. */
  writeFile(path: string, text: string): Promise<void>;
  /** From now on these signals do not end the process; they are told instead. */
  onSignal(told: (name: "SIGINT" | "SIGTERM") => void): void;
  /** Lets keys come as they are pressed, where somebody types. */
  rawInput(): void;
  /** Width of the terminal that is written to; that of an ordinary one where there is none. */
  columns(): number;
  /** A new UUID. */
  uuid(): string;
  now(): Date;
}

/** All that a program has of its process. */
export interface Stage extends Backstage {
  /** Bytes of stdin as they come, until it is closed. To be read once. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Whether somebody types there, instead of a pipe or a file. */
  readonly inputIsTerminal: boolean;
}

/** Whoever reads stdout has left. There is nothing more to say. */
export class AudienceLeft extends Error {}
