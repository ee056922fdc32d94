import { constants } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { LIMITS } from "claw-contract";
import type { EventLog, StoredEvent } from "../../bus/index.ts";
import { findEnd, logLine } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, PRIVATE_FILE, readSmallFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";

/** Copies committed events to a growing file, for tools that follow the file. */
export interface Tee {
  /** Starts copying the events that are not copied yet. */
  wake(): void;
  /** Writes lines that are not in the log. */
  add(text: string): void;
  /** Resolves when every event committed until now is copied. */
  close(): Promise<void>;
}

/** The sequence of the last whole line of an earlier copy. Cuts off an unfinished line at the end of the file. */
function lastCopied(fs: FileSystem, path: string): number | undefined {
  let fd: number;
  try {
    fd = fs.openSync(path, constants.O_RDWR);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { last, size, torn, unfinished } = findEnd(fs, fd);
    if (unfinished > 0) fs.ftruncateSync(fd, size + torn - unfinished);
    return last;
  } finally {
    fs.closeSync(fd);
  }
}

/** Appends the whole text, or no part of the text, to the file at this path now. */
async function append(path: string, text: string): Promise<void> {
  const file = await open(path, "a", PRIVATE_FILE);
  try {
    const { size } = await file.stat();
    await file.writeFile(text).catch(async (error: unknown) => {
      await file.truncate(size);
      throw error;
    });
  } finally {
    await file.close();
  }
}

/** File with the sequence of the last copied event, for the case that the copy is moved away before the next event. */
const positionFile = (path: string): string => `${path}.position`;

function storedPosition(path: string): number | undefined {
  const file = readSmallFile(positionFile(path), LIMITS.settingsBytes);
  const position = file.kind === "text" ? Number.parseInt(file.text, 10) : Number.NaN;
  return Number.isSafeInteger(position) ? position : undefined;
}

export interface TeeOptions {
  readonly log: EventLog;
  readonly path: string;
  /** How an event is written; as in the log unless told otherwise. The line has topic, sender and sequence. */
  readonly print?: (event: StoredEvent) => string;
  /** Whether another process writes this event to the same file. Asked for each event, in the order of the log. */
  readonly isWrittenByOthers?: (event: StoredEvent) => boolean;
  /** A longer copy is moved to `<path>.1` and replaces the file there. Without a limit, the copy grows. */
  readonly maxBytes?: number;
  readonly failed: (error: unknown) => void;
}

/** Moves a copy away that is long enough. */
function moveLong(fs: FileSystem, path: string, maxBytes: number): void {
  const size = fs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) fs.renameSync(path, `${path}.1`);
}

/**
 * Continues where an earlier copy stopped; a new copy begins with the next event. Throws file errors when the copy
 * cannot begin.
 */
export function openTee(fs: FileSystem, options: TeeOptions): Tee {
  const { log, path, print = logLine, isWrittenByOthers = () => false, maxBytes = Infinity, failed } = options;
  let position = withFileErrors("open", path, () => {
    const known = Math.min(lastCopied(fs, path) ?? storedPosition(path) ?? log.head(), log.head());
    writeFileAtomically(fs, positionFile(path), `${known}\n`);
    return known;
  });
  let running: Promise<void> | undefined;
  const added: string[] = [];

  async function copy(): Promise<void> {
    while (position < log.head()) {
      const { events, through } = await log.read(position);
      const text = events.map((event) => (isWrittenByOthers(event) ? "" : print(event))).join("");
      if (text !== "") await append(path, text);
      moveLong(fs, path, maxBytes);
      position = Math.max(through, position + 1);
      await writeFile(positionFile(path), `${position}\n`, { mode: PRIVATE_FILE });
    }
    if (added.length > 0) await append(path, added.splice(0).join(""));
  }

  const wake = (): void => {
    running ??= copy()
      .catch(failed)
      .finally(() => {
        running = undefined;
      });
  };
  return {
    wake,
    add: (text) => {
      added.push(text);
      // The running copy may have looked for more for the last time already.
      void (running ?? Promise.resolve()).then(wake);
    },
    close: async () => {
      // The running copy may have looked for more for the last time already.
      await running;
      wake();
      await running;
    },
  };
}
