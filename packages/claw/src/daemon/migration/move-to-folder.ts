import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { openDurableStore } from "../../bus/index.ts";
import type { KeptRecord, MigrationRecord, SeenLog } from "../../cluster/index.ts";
import { clusterFiles } from "../cluster/cluster-files.ts";
import { epochsOf } from "../process/folder-epochs.ts";
import { requireFormat } from "../process/folder-format.ts";
import { openFolder } from "../process/own-folder.ts";
import { openCounters } from "../process/persistent-counters.ts";
import { takeWorkspace } from "../process/take-workspace.ts";
import { carryDurables, carryNotices, carrySnapshot, epochText } from "./carry-state.ts";
import type { ClusterSeat } from "./cluster-seat.ts";
import { takeSeat } from "./cluster-seat.ts";
import type { FolderMark } from "./folder-mark.ts";
import { readMark, removeMark, writeMark } from "./folder-mark.ts";
import { lookAtLog, noLog, openFolderLog } from "./folder-log.ts";
import { asideName, copyIncoming, exchange, incomingOf, incomingPart, openIncoming, sealIncoming } from "./incoming.ts";
import type { MigrationOptions, Moved } from "./migration.ts";
import { compare, mismatch } from "./migration.ts";

/** A stream that this machine may take the log from. */
interface Source {
  readonly seen: SeenLog;
  readonly record: KeptRecord | undefined;
  readonly epoch: number;
}

const refused = (code: "LOG_MOVED" | "MIGRATION_UNFINISHED", stream: string, message: string): ClawError =>
  new ClawError(code, message, { operation: "migrate", target: stream });

async function findSource({ store, machine }: ClusterSeat, cwd: string): Promise<Source> {
  const seen = await store.look();
  if (seen === undefined || seen.events === 0) throw noLog(store.stream, `the stream ${store.stream} has no events`);
  const record = await store.record(seen);
  if (record?.state === "copying") {
    const message = `the log of ${record.folder} on ${record.machine} is not yet copied into ${store.stream}`;
    throw refused("MIGRATION_UNFINISHED", store.stream, message);
  }
  if (record?.state === "away" && (record.machine !== machine || record.folder !== realpathSync(cwd))) {
    const message = `the log of ${store.stream} went on in ${record.folder} on ${record.machine}`;
    throw refused("LOG_MOVED", store.stream, message);
  }
  return { seen, record, epoch: await store.epoch() };
}

/** Whether the log that the folder has is the beginning of the stream. */
async function isBeginning(seat: ClusterSeat, { seen }: Source, options: MigrationOptions): Promise<boolean> {
  const { fs, files } = options;
  const known = lookAtLog(fs, files.log);
  if (known === undefined || known.head > seen.head) return false;
  const after = Math.max(seen.first, known.first) - 1;
  if (known.head <= after) return false;
  const log = await openFolderLog(fs, files.log);
  try {
    return (await compare(log, seat, { after, through: log.head }, options)).isSame;
  } finally {
    await log.close();
  }
}

/** The epoch that the log gets in the folder: that of the stream, if the folder never had another log with it or a later one. */
async function epochFor(seat: ClusterSeat, source: Source, options: MigrationOptions): Promise<number> {
  const { fs, files } = options;
  const epochs = epochsOf(options);
  const own = Math.max(lookAtLog(fs, files.log)?.epoch ?? 0, epochs.own());
  const known = Math.max(own, epochs.highest());
  if (source.epoch > known) return source.epoch;
  if (source.epoch < known) return known + 1;
  const isSame = own === known ? await isBeginning(seat, source, options) : epochs.of(seat.cluster) === known;
  return isSame ? known : known + 1;
}

/** Puts what follows from the log beside the copy: state, places of readers, numbers. */
async function carry(seat: ClusterSeat, source: Source, epoch: number, options: MigrationOptions): Promise<void> {
  const { fs, files } = options;
  const { seen } = source;
  const from = { ...clusterFiles(files, seat.cluster), epoch: source.epoch };
  const to = { snapshots: incomingPart(files, "state"), notify: incomingPart(files, "notify"), epoch };
  if (seen.first > 1) await carrySnapshot({ fs, from, to, head: seen.head, machine: seat.machine });
  carryNotices({ fs, from, to });
  const durables = await seat.openDurables();
  try {
    const store = openDurableStore(incomingPart(files, "durable"));
    await carryDurables({ records: durables.all(), epoch: source.epoch }, { store, epoch });
  } finally {
    durables.close();
  }
  const counters = openCounters(fs, files.counters, () => undefined);
  for (const [name, number] of Object.entries(await seat.takenNumbers())) counters.startAfter(name, number);
  const epochs = epochsOf(options);
  epochs.keepOwn(Math.max(epoch, epochs.own()));
}

interface Copied extends Pick<Moved, "copied" | "holes" | "events" | "first" | "last"> {
  readonly sha256: string;
}

/** Copies the stream and compares both sides. */
async function copyAll(seat: ClusterSeat, { seen }: Source, options: MigrationOptions): Promise<Copied> {
  const { fs, files } = options;
  openIncoming(fs, files, { cluster: seat.cluster, created: seen.created });
  const copied = await copyIncoming(seat, seen, options);
  const directory = incomingPart(files, "log");
  const log = await openFolderLog(fs, directory);
  try {
    const first = Math.max(seen.first, log.first);
    const { isSame, sha256, holes } = await compare(log, seat, { after: first - 1, through: seen.head }, options);
    if (!isSame || log.head !== seen.head) throw mismatch(incomingOf(files));
    return { copied, sha256, holes, events: seen.head - log.first + 1, first: log.first, last: seen.head };
  } finally {
    await log.close();
  }
}

/** Decides for the copy: first the folder refuses its old log, then the stream refuses daemons, then the copy is put in place. */
async function takeIntoUse(
  seat: ClusterSeat,
  { seen, record, epoch: streamEpoch }: Source,
  epoch: number,
  options: MigrationOptions,
): Promise<string> {
  const { fs, files, cwd } = options;
  const before = readMark(files);
  const aside = asideName(files);
  const mark: FolderMark = { state: "arriving", cluster: seat.cluster, epoch, aside };
  writeMark(fs, files, mark);
  const { created } = seen;
  const { store, machine } = seat;
  const away: MigrationRecord = {
    state: "away",
    created,
    machine,
    folder: realpathSync(cwd),
    epoch: streamEpoch,
    folderEpoch: epoch,
  };
  try {
    await store.keep(away);
    await seat.requireAlone();
    if ((await store.look())?.head !== seen.head) throw mismatch(incomingOf(files));
  } catch (error) {
    await store.keep(record ?? { ...away, created: "" }).catch(() => undefined);
    if (before === undefined) removeMark(fs, files);
    else writeMark(fs, files, before);
    throw error;
  }
  finish(options, aside);
  return aside;
}

function finish({ fs, files }: Pick<MigrationOptions, "fs" | "files">, aside: string): void {
  exchange(fs, files, aside);
  removeMark(fs, files);
}

/** What a folder holds that the log was moved into. */
function inFolder(options: MigrationOptions, source: Source, kept: string): Omit<Moved, "effect"> {
  const { fs, files, cluster } = options;
  const { first = 1, head = 0, epoch = 0 } = lookAtLog(fs, files.log) ?? {};
  const cursors = epoch === source.epoch ? "continue" : "gap";
  const place = { cluster: cluster.cluster, first, last: head, events: head - first + 1 };
  return { ...place, copied: 0, holes: 0, sha256: null, epoch: epochText(epoch), cursors, kept };
}

async function copyLog(seat: ClusterSeat, options: MigrationOptions): Promise<Moved> {
  const { files } = options;
  const source = await findSource(seat, options.cwd);
  const mark = readMark(files);
  if (source.record?.state === "away" && mark?.state === "arriving" && mark.aside !== undefined) {
    finish(options, mark.aside);
    return { ...inFolder(options, source, join(files.folder, mark.aside)), effect: "updated" };
  }
  if (source.record?.state === "away" && mark === undefined && existsSync(files.log)) {
    return { ...inFolder(options, source, files.log), effect: "noop" };
  }
  await seat.requireAlone();
  const had = lookAtLog(options.fs, files.log) !== undefined;
  const epoch = await epochFor(seat, source, options);
  const copied = await copyAll(seat, source, options);
  await carry(seat, source, epoch, options);
  sealIncoming(options.fs, files, epoch);
  const aside = await takeIntoUse(seat, source, epoch, options);
  return {
    ...copied,
    cluster: seat.cluster,
    epoch: epochText(epoch),
    cursors: epoch === source.epoch ? "continue" : "gap",
    kept: join(files.folder, aside),
    effect: had ? "updated" : "created",
  };
}

/**
 * Copies the stream of a cluster into a folder, each event with its own sequence, and takes the copy into use when both
 * sides have the same digest. The log that the folder had is set aside. A call that was cut off is called again.
 */
export async function moveToFolder(options: MigrationOptions): Promise<Moved> {
  const { cwd, files, signal } = options;
  requireFormat(cwd);
  openFolder(files);
  const lock = await takeWorkspace(cwd, files, signal);
  try {
    const seat = await takeSeat(options.cluster, signal);
    try {
      return await copyLog(seat, options);
    } finally {
      await seat.leave();
    }
  } finally {
    lock.release();
  }
}
