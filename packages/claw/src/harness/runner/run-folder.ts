import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Spool } from "../spool.ts";
import { createLineFile } from "./line-file.ts";

/** A private folder of one run, for what memory should not hold and for what the agent leaves. */
export interface RunFolder {
  /** Gets the events once they weigh too much. */
  readonly spool: Spool & { flush(): void };
  /** Where the agent may leave its last message. */
  readonly lastMessagePath: string;
  /** What it left there, or undefined. */
  lastMessage(maxBytes: number): string | undefined;
  /** Removes the folder, unless it holds events that the result names. Idempotent. */
  close(): void;
}

/** Makes the folder in another one. Throws when that cannot be written. */
export function openRunFolder(parent: string): RunFolder {
  const folder = mkdtempSync(join(parent, "claw-run-"));
  const path = join(folder, "events.jsonl");
  const file = createLineFile(path);
  const lastMessagePath = join(folder, "last-message.txt");
  return {
    spool: {
      path,
      append: (line) => file.append(line),
      flush: () => file.flush(),
      problem: () => file.problem(),
    },
    lastMessagePath,
    lastMessage: (maxBytes) => readBeginning(lastMessagePath, maxBytes),
    close: () => {
      file.close();
      rmSync(file.exists() ? lastMessagePath : folder, { recursive: true, force: true });
    },
  };
}

function readBeginning(path: string, maxBytes: number): string | undefined {
  try {
    return readFileSync(path).subarray(0, maxBytes).toString();
  } catch {
    // Most agents leave none.
    return undefined;
  }
}
