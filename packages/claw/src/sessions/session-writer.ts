import { constants } from "node:fs";
import { dirname } from "node:path";
import type { SessionMessage, SessionRecord, SessionTotals } from "claw-contract";
import { SESSION_FILE_VERSION } from "claw-contract";
import type { FileSystem } from "../files/index.ts";
import { syncFolder, withFileErrors, writeAllBytes, syncFile } from "../files/index.ts";
import { openSessionFile } from "./session-files.ts";
import { addTurn } from "./session-totals.ts";

const OPEN_FOR_APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/** Opens a session file for appending and makes it if it is not there. The caller closes it. */
export const openForAppend = (fs: FileSystem, path: string): number => openSessionFile(fs, path, OPEN_FOR_APPEND);

/** Lines for a turn that is stored whole, and the totals after it. */
export function turnRecords(
  before: SessionTotals,
  turn: { readonly id: string; readonly nowMs: number; readonly messages: readonly SessionMessage[] },
): { records: SessionRecord[]; totals: SessionTotals } {
  const totals = addTurn(before, turn.messages);
  const lines = turn.messages.map((message): SessionRecord => ({
    type: "message",
    turn_id: turn.id,
    timestamp_ms: turn.nowMs,
    message,
  }));
  const commit: SessionRecord = { type: "turn_commit", turn_id: turn.id, timestamp_ms: turn.nowMs, totals };
  return { records: [...lines, commit], totals };
}

export function metaRecord(id: string, nowMs: number, workspaceRoot: string): SessionRecord {
  return {
    type: "session_meta",
    version: SESSION_FILE_VERSION,
    session_id: id,
    created_at_ms: nowMs,
    workspace_root: workspaceRoot,
  };
}

/**
 * Appends records and forces them, and the folder, to disk. Either all of them are stored when this returns, or it
 * throws and the file is as it was.
 */
export function appendRecords(fs: FileSystem, fd: number, path: string, records: readonly SessionRecord[]): void {
  withFileErrors("write", path, () => {
    const { size } = fs.fstatSync(fd);
    try {
      writeAllBytes(fs, fd, Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join("")));
      syncFile(fs, fd);
      syncFolder(fs, dirname(path));
    } catch (error) {
      fs.ftruncateSync(fd, size);
      throw error;
    }
  });
}
