import { closeSync, constants, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EventSpool } from "../stores/event-store.ts";
import { createLineFile } from "./line-file.ts";

/** A private folder of one run, for events beyond the memory limit and for files that the agent leaves. */
export interface RunFolder {
  /** Gets the events once they weigh too much. */
  readonly spool: EventSpool & { flush(): void };
  /** Where the agent may leave its last message. */
  readonly lastMessagePath: string;
  /** The message that the agent left at `lastMessagePath`; undefined when there is none. */
  lastMessage(maxBytes: number): string | undefined;
  /** Removes the folder, unless it holds events that the result names. Idempotent. Never throws. */
  close(): void;
}

/** Makes the folder inside `parent`. Throws when `parent` cannot be written. */
export function openRunFolder(parent: string): RunFolder {
  const folder = mkdtempSync(join(parent, "claw-run-"));
  const path = join(folder, "events.jsonl");
  const file = createLineFile(path);
  const lastMessagePath = join(folder, "last-message.txt");
  return {
    spool: {
      path,
      append: (line) => file.append(line),
      appendBytes: (lines) => file.appendBytes(lines),
      flush: () => file.flush(),
      problem: () => file.problem(),
    },
    lastMessagePath,
    lastMessage: (maxBytes) => readBeginning(lastMessagePath, maxBytes),
    close: () => {
      file.close();
      removeFolder(file.exists() ? lastMessagePath : folder);
    },
  };
}

/** Returns whether the path is gone. */
function removeFolder(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    // The agent knows the place and may do anything to it; what the run came to is worth more than a tidy folder.
    return false;
  }
}

/**
 * The agent may leave anything at the path: a pipe is not waited for, and at most `maxBytes` of a huge file are read.
 */
function readBeginning(path: string, maxBytes: number): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stats.size, maxBytes));
    return bytes.subarray(0, readSync(fd, bytes)).toString();
  } catch {
    // Most agents leave none.
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
