import type { SessionMessage, SessionTotals } from "@claw/contract";
import { LIMITS } from "@claw/contract";
import type { FileSystem } from "../files/index.ts";
import { withFileErrors } from "../files/index.ts";
import type { SessionEntry } from "./session-files.ts";
import { findSessionFile, sessionPath } from "./session-files.ts";
import { readSession } from "./session-reader.ts";
import { glimpseSession } from "./session-summary.ts";
import { EMPTY_TOTALS } from "./session-totals.ts";
import { appendRecords, metaRecord, openForAppend, turnRecords } from "./session-writer.ts";
import type { TailRepair } from "./torn-tail.ts";
import { repairTail } from "./torn-tail.ts";

export interface StoredTurn {
  readonly entry: SessionEntry;
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
  const created = fs.lstatSync(path, { throwIfNoEntry: false }) === undefined;
  if (!created) findSessionFile(fs, directory, id);
  const fd = openForAppend(fs, path);
  try {
    const repair = withFileErrors("repair", path, () => repairTail(fs, fd, path));
    const entry = findSessionFile(fs, directory, id);
    const before = await totalsOf(fs, entry, signal);
    const nowMs = Date.now();
    const turn = turnRecords(before, { id: `turn-${nowMs}-${process.pid}`, nowMs, messages });
    const meta = entry.size === 0 ? [metaRecord(id, nowMs, cwd)] : [];
    appendRecords(fs, fd, path, [...meta, ...turn.records]);
    return { entry: findSessionFile(fs, directory, id), created, totals: turn.totals, repair };
  } catch (error) {
    if (created) fs.unlinkSync(path);
    throw error;
  } finally {
    fs.closeSync(fd);
  }
}

/** A small session is read whole and so checked; of a large one the last commit is believed. */
async function totalsOf(fs: FileSystem, entry: SessionEntry, signal: AbortSignal): Promise<SessionTotals> {
  if (entry.size === 0) return EMPTY_TOTALS;
  const known = entry.size > LIMITS.sessionScanBytes ? glimpseSession(fs, entry).totals : undefined;
  return known ?? (await readSession(fs, entry, { signal })).totals;
}
