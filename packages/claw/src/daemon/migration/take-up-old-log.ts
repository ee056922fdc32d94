import { existsSync } from "node:fs";
import { join } from "node:path";
import { openDurableStore } from "../../bus/index.ts";
import { withFileErrors, writeFileAtomically } from "../../files/index.ts";
import { epochsOf } from "../process/folder-epochs.ts";
import { requireFormat } from "../process/folder-format.ts";
import { takeWorkspace } from "../process/take-workspace.ts";
import { carryDurables, carryNotices, carrySnapshot, epochText } from "./carry-state.ts";
import { readMark, removeMark, requireOwnLog } from "./folder-mark.ts";
import { lookAtLog, noLog } from "./folder-log.ts";
import type { MigrationOptions, Moved } from "./migration.ts";

type Options = Pick<MigrationOptions, "fs" | "cwd" | "files" | "signal">;

/** What the folder's own log holds. Throws LOG_NOT_FOUND. */
export function ownLog({ fs, files }: Pick<Options, "fs" | "files">): Omit<Moved, "effect"> {
  const own = lookAtLog(fs, files.log);
  if (own === undefined) throw noLog(files.log, `no log is in ${files.log}`);
  const { first, head, epoch } = own;
  const place = { cluster: null, first, last: head, events: head - first + 1, kept: files.log };
  return { ...place, copied: 0, holes: 0, sha256: null, epoch: epochText(epoch), cursors: "continue" };
}

/** Gives a folder's log and what follows from it another epoch. The events stay as they are. */
async function renew({ fs, files }: Options, before: number, epoch: number, head: number): Promise<void> {
  const from = { snapshots: files.snapshots, notify: files.notify, epoch: before };
  const to = { ...from, epoch };
  // The machine of a snapshot's peers means nothing in a log with one writer.
  await carrySnapshot({ fs, from, to, head, machine: "" });
  carryNotices({ fs, from, to });
  if (existsSync(files.durables)) {
    const store = openDurableStore(files.durables);
    await carryDurables({ records: store.all(), epoch: before }, { store, epoch });
  }
  epochsOf({ fs, files }).keepOwn(epoch);
  const meta = join(files.log, "meta.json");
  const text = `${JSON.stringify({ version: 1, epoch: epochText(epoch) })}\n`;
  withFileErrors("save", meta, () => writeFileAtomically(fs, meta, text));
}

/**
 * Goes on with the log that a folder had before it was moved into a cluster. It gets the next epoch, because the cluster
 * may have gone on with the old one: clients get `gap`.
 */
export async function takeUpOldLog(options: Options): Promise<Moved> {
  const { fs, cwd, files, signal } = options;
  requireFormat(cwd);
  if (!existsSync(files.folder)) throw noLog(files.log, `no log is in ${files.log}`);
  const lock = await takeWorkspace(cwd, files, signal);
  try {
    const own = ownLog(options);
    const mark = readMark(files);
    if (mark === undefined) return { ...own, effect: "noop" };
    if (mark.state === "arriving") requireOwnLog(files);
    const before = Number(own.epoch);
    const epoch = Math.max(before, epochsOf(options).highest(), mark.epoch) + 1;
    await renew(options, before, epoch, own.last);
    removeMark(fs, files);
    return { ...own, epoch: epochText(epoch), cursors: "gap", effect: "updated" };
  } finally {
    lock.release();
  }
}
