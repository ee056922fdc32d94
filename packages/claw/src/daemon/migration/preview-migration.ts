import { join } from "node:path";
import { findDaemon } from "../process/daemon-record.ts";
import { requireFormat } from "../process/folder-format.ts";
import { isRunning } from "../process/take-workspace.ts";
import { lookAtCluster } from "./cluster-seat.ts";
import { lookAtLog, noLog } from "./folder-log.ts";
import { readMark } from "./folder-mark.ts";
import type { MigrationOptions, Moved } from "./migration.ts";
import { targetUsed } from "./migration.ts";
import { ownLog } from "./take-up-old-log.ts";

/** What a move would do. */
export interface MigrationPreview extends Omit<Moved, "effect"> {
  readonly effect: "noop" | "would_create" | "would_update";
  readonly would_affect: readonly string[];
}

const UNKNOWN = { holes: 0, sha256: null, epoch: null, cursors: null } as const;

async function previewToStream({ fs, files, cluster: options }: MigrationOptions): Promise<MigrationPreview> {
  const { cluster } = options;
  const log = lookAtLog(fs, files.log);
  if (log === undefined) throw noLog(files.log, `no log is in ${files.log}`);
  const seen = await lookAtCluster(options);
  const there = seen === undefined || seen.events === 0 ? log.first - 1 : seen.head;
  if (there > log.head && readMark(files) === undefined) {
    throw targetUsed(cluster, `the stream of ${cluster} holds events that are not of this log`);
  }
  const { first, head: last } = log;
  const place = { cluster, first, last, events: last - first + 1, copied: Math.max(0, last - there), kept: files.log };
  const effect = seen === undefined || seen.events === 0 ? "would_create" : "would_update";
  return { ...UNKNOWN, ...place, effect, would_affect: [files.moved] };
}

async function previewToFolder({ fs, files, cluster: options }: MigrationOptions): Promise<MigrationPreview> {
  const { cluster } = options;
  const seen = await lookAtCluster(options);
  if (seen === undefined || seen.events === 0) throw noLog(cluster, `the stream of ${cluster} has no events`);
  const { first, head: last, events } = seen;
  const place = { cluster, first, last, events, copied: events, kept: files.log };
  const isNew = lookAtLog(fs, files.log) === undefined;
  return { ...UNKNOWN, ...place, effect: isNew ? "would_create" : "would_update", would_affect: [files.log] };
}

function previewOldLog(options: Pick<MigrationOptions, "fs" | "files">): MigrationPreview {
  const { files } = options;
  const own = { ...ownLog(options), ...UNKNOWN };
  if (readMark(files) === undefined) return { ...own, effect: "noop", would_affect: [] };
  return { ...own, effect: "would_update", would_affect: [join(files.log, "meta.json"), files.moved] };
}

/** What a move would do, found without changing anything. `cluster` is absent when the old log is taken up again. */
export async function previewMigration(
  to: "stream" | "folder" | "old-log",
  options: Omit<MigrationOptions, "cluster"> & Partial<Pick<MigrationOptions, "cluster">>,
): Promise<MigrationPreview> {
  const { cwd, cluster } = options;
  requireFormat(cwd);
  const daemon = findDaemon(cwd);
  if (daemon !== undefined) throw isRunning(cwd, daemon.pid);
  if (to === "old-log" || cluster === undefined) return previewOldLog(options);
  return to === "stream" ? previewToStream({ ...options, cluster }) : previewToFolder({ ...options, cluster });
}
