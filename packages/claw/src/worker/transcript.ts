import { join } from "node:path";
import { LIMITS, WORKER_FILES } from "@claw/contract";
import { openToAppend } from "../files/index.ts";
import type { RunItem } from "../harness/index.ts";
import { createLineFile } from "../harness/index.ts";

/** The agent's own stream as it came, but for secrets. Later lives add to it. */
export interface Transcript {
  add(items: readonly RunItem[]): void;
  close(): void;
  /** Why lines are missing, or null. */
  problem(): string | null;
}

const CUT = JSON.stringify({ type: "claw", subtype: "transcript_cut", reason: "no more is kept" });

/** Throws when the file cannot be made. */
export function openTranscript(folder: string, maxBytes: number = LIMITS.workerTranscriptBytes): Transcript {
  const path = join(folder, WORKER_FILES.transcript);
  const file = createLineFile(path, { fd: openToAppend(path) });
  let bytes = 0;
  const add = (line: string): void => {
    if (line === "" || bytes > maxBytes) return;
    bytes += Buffer.byteLength(line) + 1;
    file.append(bytes > maxBytes ? CUT : line);
  };
  return {
    add: (items) => {
      for (const { line } of items) add(line);
      // People read along, and whoever is killed leaves what was heard.
      file.flush();
    },
    close: () => file.close(),
    problem: () => file.problem(),
  };
}
