import type { Worker } from "claw-client";
import type { Redactor, WorkerJob } from "claw-contract";
import type { StateFile } from "./worker-state.ts";
import type { WorkerTranscript } from "./report/transcript.ts";

/** One life of a worker: the job, and the open files and connections of the process. */
export interface LifeParts {
  readonly job: WorkerJob;
  readonly worker: Worker;
  readonly redactor: Redactor;
  readonly state: StateFile;
  readonly transcript: WorkerTranscript;
  /** The environment of the agent. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a line to the worker's own log. */
  readonly log: (text: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Logs the error when a publication fails, without waiting for it. */
export function tell({ log }: Pick<LifeParts, "log">, what: string, published: Promise<unknown>): void {
  published.catch((error: unknown) => log(`${what} was not published: ${String(error)}`));
}
