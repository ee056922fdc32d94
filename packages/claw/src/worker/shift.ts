import type { Worker } from "@claw/client";
import type { Redactor, WorkerJob } from "@claw/contract";
import type { StateFile } from "./worker-state.ts";
import type { Transcript } from "./transcript.ts";

/** The context of a worker's process, shared by all its parts. */
export interface Shift {
  readonly job: WorkerJob;
  readonly folder: string;
  readonly worker: Worker;
  readonly redactor: Redactor;
  readonly state: StateFile;
  readonly transcript: Transcript;
  /** The environment of the agent. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a line to the worker's own log. */
  readonly log: (text: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Logs the error when a publication fails, without waiting for it. */
export function tell({ log }: Pick<Shift, "log">, what: string, published: Promise<unknown>): void {
  published.catch((error: unknown) => log(`${what} was not published: ${String(error)}`));
}
