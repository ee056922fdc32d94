import { join } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import type { EventLog, StoredEvent } from "../../bus/index.ts";
import { findEnd, listSegments, openSegmentLog } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { readSmallFile, withFileErrors } from "../../files/index.ts";
import { holesBefore } from "./log-digest.ts";

/** The log in a folder, for a process that holds the folder's lock. */
export interface FolderLog {
  readonly epoch: number;
  readonly first: number;
  readonly head: number;
  /** The events after a sequence, in order. What cannot be read any more has a hole in its place. */
  events(this: void, after: number): AsyncGenerator<StoredEvent>;
  close(): Promise<void>;
}

export const noLog = (target: string, message: string): ClawError =>
  new ClawError("LOG_NOT_FOUND", message, { operation: "migrate", target });

type Readable = Pick<EventLog, "head" | "read">;

async function lastAfter(log: Readable, from: number): Promise<StoredEvent | undefined> {
  let last: StoredEvent | undefined;
  for (let after = from; ;) {
    const event = (await log.read(after)).events.at(-1);
    if (event === undefined) return last;
    last = event;
    after = event.sequence;
  }
}

/** The newest event that can be read; lines behind it may be damaged. */
async function findLast(log: Readable): Promise<StoredEvent | undefined> {
  const head = log.head();
  for (let from = head - 1; from >= 0;) {
    const last = await lastAfter(log, from);
    if (last !== undefined || from === 0) return last;
    from = Math.max(0, head - 2 * (head - from));
  }
  return undefined;
}

/** Opens a folder's log. Rejects with LOG_NOT_FOUND when it has no events. */
export async function openFolderLog(fs: FileSystem, directory: string): Promise<FolderLog> {
  const isThere = fs.lstatSync(directory, { throwIfNoEntry: false }) !== undefined;
  if (!isThere) throw noLog(directory, `no log is in ${directory}`);
  const log = openSegmentLog(fs, {
    directory,
    durability: "strict",
    segmentBytes: LIMITS.logSegmentBytes,
    retainBytes: Infinity,
    retainMs: Infinity,
  });
  const head = log.head();
  const last = await findLast(log);
  if (last === undefined) {
    await log.close();
    throw noLog(directory, `the log in ${directory} has no events`);
  }
  const first = log.oldest();
  return {
    epoch: Number(log.epoch),
    first,
    head,
    events: async function* events(after) {
      for (let at = Math.max(after, first - 1); at < head;) {
        const batch = await log.read(at);
        for (const event of batch.events) {
          yield* holesBefore(event, at);
          yield event;
          at = event.sequence;
        }
        if (batch.events.length === 0) break;
      }
      yield* holesBefore({ sequence: head + 1, tsServer: last.tsServer }, Math.max(after, last.sequence));
    },
    close: () => log.close(),
  };
}

/** What a folder's log holds, found without changing anything; undefined without events. */
export function lookAtLog(fs: FileSystem, directory: string): Pick<FolderLog, "epoch" | "first" | "head"> | undefined {
  if (fs.lstatSync(directory, { throwIfNoEntry: false }) === undefined) return undefined;
  return withFileErrors("open", directory, () => {
    const segments = listSegments(fs, directory);
    const meta = readSmallFile(join(directory, "meta.json"), LIMITS.settingsBytes);
    const [, digits = "1"] = meta.kind === "text" ? (/"epoch" *: *"(\d{4})"/.exec(meta.text) ?? []) : [];
    for (const { path, first } of segments.toReversed()) {
      const fd = fs.openSync(path, "r");
      try {
        const { last } = findEnd(fs, fd);
        if (last !== undefined) return { epoch: Number(digits), first: segments[0]?.first ?? first, head: last };
      } finally {
        fs.closeSync(fd);
      }
    }
    return undefined;
  });
}
