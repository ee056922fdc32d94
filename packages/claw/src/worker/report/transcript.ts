import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Redactor, TranscriptMark } from "claw-contract";
import { LF, LIMITS, MARK_TYPE, WORKER_FILES } from "claw-contract";
import { openToAppend } from "../../files/index.ts";
import type { RunItem } from "../../harness/index.ts";
import { createLineFile } from "../../harness/index.ts";

/**
 * The agent's stream as received, with secrets masked, and with marks of the worker in between. Later lives append to
 * it.
 */
export interface WorkerTranscript {
  add(items: readonly RunItem[]): void;
  /** Adds a mark of the worker, even when the stream has reached its size limit. */
  mark(mark: TranscriptMark): void;
  close(): void;
  /** Why lines are missing, or null. */
  problem(): string | null;
}

export interface TranscriptFileOptions {
  /** Masks secrets in marks. The items of the stream are already masked. */
  readonly redactor: Redactor;
  /** Milliseconds. */
  readonly now: () => number;
  readonly maxBytes?: number;
}

/** Whether the file ends inside a line, as a killed life may leave it. */
function isTorn(path: string): boolean {
  const { size } = statSync(path);
  if (size === 0) return false;
  const fd = openSync(path, "r");
  try {
    const last = Buffer.alloc(1);
    readSync(fd, last, 0, 1, size - 1);
    return last[0] !== LF;
  } finally {
    closeSync(fd);
  }
}

/** Throws when the file cannot be made. */
export function openWorkerTranscript(
  folder: string,
  { redactor, now, maxBytes = LIMITS.workerTranscriptBytes }: TranscriptFileOptions,
): WorkerTranscript {
  const path = join(folder, WORKER_FILES.transcript);
  const file = createLineFile(path, { fd: openToAppend(path) });
  let bytes = 0;
  if (isTorn(path)) file.append("");
  const write = (mark: TranscriptMark): void => {
    const at = new Date(now()).toISOString();
    file.append(JSON.stringify({ type: MARK_TYPE, at, ...redactor.redactValue(mark) }));
  };
  const add = (line: string): void => {
    if (line === "" || bytes > maxBytes) return;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) write({ subtype: "transcript_cut", reason: "no more is kept" });
    else file.append(line);
  };
  return {
    add: (items) => {
      for (const { line } of items) add(line);
      // People follow the file live, and its lines must survive a kill of this process.
      file.flush();
    },
    mark: (mark) => {
      write(mark);
      file.flush();
    },
    close: () => file.close(),
    problem: () => file.problem(),
  };
}
