import type { SessionMessage, SessionTotals } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { FileSystem } from "../files/index.ts";
import { withFileErrors } from "../files/index.ts";
import type { SessionEntry } from "./session-files.ts";
import { closeQuietly, findSessionFile, sessionPath } from "./session-files.ts";
import { readSession, requireVersion } from "./session-reader.ts";
import { glimpseSession } from "./session-summary.ts";
import { EMPTY_TOTALS } from "./session-totals.ts";
import { appendRecords, metaRecord, openForAppend, turnRecords } from "./session-writer.ts";
import type { TailRepair } from "./torn-tail.ts";
import { repairTail } from "./torn-tail.ts";

export interface StoredTurn {
  readonly id: string;
  readonly path: string;
  readonly created: boolean;
  readonly totals: SessionTotals;
  readonly repair: TailRepair;
}

export interface TurnRequest {
  readonly fs: FileSystem;
  readonly cwd: string;
  readonly directory: string;
  readonly id: string;
  readonly messages: readonly SessionMessage[];
  readonly signal: AbortSignal;
}

/** Stores a turn at the end of its session. The caller holds the session's lock. */
export async function storeTurn({ fs, cwd, directory, id, messages, signal }: TurnRequest): Promise<StoredTurn> {
  const path = sessionPath(directory, id);
  const there = withFileErrors("open", path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
  // The session is checked before the file is changed.
  const before = there === undefined ? EMPTY_TOTALS : await totalsOf(fs, findSessionFile(fs, directory, id), signal);
  const created = there === undefined;
  const fd = openForAppend(fs, path);
  try {
    const repair = withFileErrors("repair", path, () => repairTail(fs, fd, path));
    const nowMs = Date.now();
    const turn = turnRecords(before, { id: `turn-${nowMs}-${process.pid}`, nowMs, messages });
    const isEmpty = withFileErrors("open", path, () => fs.fstatSync(fd).size) === 0;
    appendRecords(fs, fd, path, [...(isEmpty ? [metaRecord(id, nowMs, cwd)] : []), ...turn.records]);
    return { id, path, created, totals: turn.totals, repair };
  } catch (error) {
    if (created) fs.unlinkSync(path);
    throw error;
  } finally {
    closeQuietly(fs, fd);
  }
}

/** A small session is read and checked as a whole. For a large session, the totals of the last commit are trusted. */
async function totalsOf(fs: FileSystem, entry: SessionEntry, signal: AbortSignal): Promise<SessionTotals> {
  if (entry.size === 0) return EMPTY_TOTALS;
  if (entry.size > LIMITS.sessionScanBytes) {
    const { meta, totals } = glimpseSession(fs, entry);
    if (meta !== undefined) requireVersion(entry, meta);
    if (totals !== undefined) return totals;
  }
  return (await readSession(fs, entry, { signal })).totals;
}
