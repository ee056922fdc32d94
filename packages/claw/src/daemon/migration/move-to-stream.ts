import { existsSync, realpathSync } from "node:fs";
import { ClawError, LIMITS } from "claw-contract";
import { openDurableStore } from "../../bus/index.ts";
import type { KeptRecord, MigrationRecord, SeenLog, SeenStream } from "../../cluster/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { PRIVATE_FOLDER, readJsonFile, removeTree, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import { clusterFiles } from "../cluster/cluster-files.ts";
import { epochsOf } from "../process/folder-epochs.ts";
import { requireFormat } from "../process/folder-format.ts";
import { openCounters } from "../process/persistent-counters.ts";
import { takeWorkspace } from "../process/take-workspace.ts";
import { carryDurables, carryNotices, carrySnapshot, epochText } from "./carry-state.ts";
import type { ClusterSeat } from "./cluster-seat.ts";
import { takeSeat } from "./cluster-seat.ts";
import { readMark, requireOwnLog, writeMark } from "./folder-mark.ts";
import type { FolderLog } from "./folder-log.ts";
import { noLog, openFolderLog } from "./folder-log.ts";
import { incomingOf } from "./incoming.ts";
import type { MigrationOptions, Moved } from "./migration.ts";
import { compare, mismatch, targetUsed } from "./migration.ts";

/** What a server stores at most for a message besides its topic, headers and body. */
const STORED_BYTES = 192;

/** What a log needs of a stream. */
interface Needs {
  readonly bytes: number;
  readonly largest: number;
  readonly largestAt: number;
}

async function measure(log: FolderLog, { store }: ClusterSeat, options: MigrationOptions): Promise<Needs> {
  let [bytes, largest, largestAt, events] = [0, 0, 0, 0];
  for await (const event of log.events(0)) {
    const size = store.sizeOf(event);
    bytes += size + event.topic.length + STORED_BYTES;
    if (size > largest) [largest, largestAt] = [size, event.sequence];
    events += 1;
    if (events % 2000 !== 0) continue;
    options.signal.throwIfAborted();
    options.progress("read", event.sequence, log.head);
  }
  return { bytes, largest, largestAt };
}

function requireTaken({ stream, maxMessageBytes }: ClusterSeat["store"], { largest, largestAt }: Needs): void {
  if (largest <= maxMessageBytes) return;
  const message = `event ${largestAt} needs ${largest} bytes, and the servers take ${maxMessageBytes} for one message`;
  throw new ClawError("NATS_STREAM_UNFIT", message, {
    operation: "migrate",
    target: stream,
    details: { field: "max_payload" },
    hint: "Raise max_payload in the configuration of nats-server, then call again.",
  });
}

/** The epoch that the log gets in the stream: its own, if no other log of this cluster ever had it or a later one. */
async function epochFor(log: FolderLog, seat: ClusterSeat, options: MigrationOptions, record?: KeptRecord) {
  if (record?.folderEpoch === log.epoch) return Math.max(record.epoch, record.state === "away" ? log.epoch : 0);
  const { stream } = clusterFiles(options.files, seat.cluster);
  const followed = readJsonFile<SeenStream>(stream, LIMITS.settingsBytes)?.epoch ?? 0;
  const known = Math.max(followed, await seat.store.epoch());
  return log.epoch > known ? log.epoch : known + 1;
}

/** Refuses a stream whose events are not the beginning of the log. */
async function requireBeginning(
  log: FolderLog,
  seat: ClusterSeat,
  seen: SeenLog,
  options: MigrationOptions,
): Promise<void> {
  const { stream } = seat.store;
  const used = targetUsed(stream, `${stream} holds events that are not of this log`);
  const after = Math.max(seen.first, log.first) - 1;
  if (seen.events === 0) return;
  if (seen.head > log.head || seen.head <= after) throw used;
  const { isSame } = await compare(log, seat, { after, through: seen.head }, options);
  if (!isSame) throw used;
}

function requireOwnRecord(log: FolderLog, { store }: ClusterSeat, seen: SeenLog, record: KeptRecord | undefined): void {
  if (seen.events === 0 && record?.state !== "away") return;
  const isOwn = record?.state === "away" ? log.epoch === record.folderEpoch : log.epoch === record?.folderEpoch;
  if (!isOwn) throw targetUsed(store.stream, `${store.stream} holds the events of another log`);
}

/** Carries over what follows from the log: state, places of readers, numbers. */
async function carry(log: FolderLog, seat: ClusterSeat, epoch: number, { fs, files }: MigrationOptions): Promise<void> {
  const own = clusterFiles(files, seat.cluster);
  for (const folder of own.folders) {
    withFileErrors("create", folder, () => fs.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER }));
  }
  const from = { snapshots: files.snapshots, notify: files.notify, epoch: log.epoch };
  const to = { ...own, epoch };
  if (log.first > 1) await carrySnapshot({ fs, from, to, head: log.head, machine: seat.machine });
  carryNotices({ fs, from, to });
  const durables = await seat.openDurables();
  try {
    const records = existsSync(files.durables) ? openDurableStore(files.durables).all() : [];
    await carryDurables({ records, epoch: log.epoch }, { store: durables, epoch });
  } finally {
    durables.close();
  }
  const counters = openCounters(fs, files.counters, () => undefined);
  const [peer, subscription, terminal] = ["peer", "subscription", "terminal"].map((name) => counters.kept(name));
  await seat.settleNumbers({ peer: peer ?? 0, subscription: subscription ?? 0, terminal: terminal ?? 0 });
}

/** Writes the file by which the daemon of this machine recognises the stream. */
async function remember(
  fs: FileSystem,
  path: string,
  seat: ClusterSeat,
  seen: Omit<SeenStream, "mark">,
): Promise<void> {
  const mark = await seat.store.markOf(seen.head);
  withFileErrors("save", path, () => writeFileAtomically(fs, path, `${JSON.stringify({ ...seen, mark })}\n`));
}

/** Takes the copy into use: first this folder is left, then the stream lets daemons in. */
async function takeIntoUse(
  log: FolderLog,
  seat: ClusterSeat,
  record: MigrationRecord,
  options: MigrationOptions,
): Promise<void> {
  const { fs, files } = options;
  const { created, epoch } = record;
  await carry(log, seat, epoch, options);
  const seen = await seat.store.look();
  if (seen?.created !== created || seen.head !== log.head) throw mismatch(seat.store.stream);
  await seat.store.settleEpoch(epoch, seen);
  await remember(fs, clusterFiles(files, seat.cluster).stream, seat, { epoch, created, head: log.head });
  epochsOf(options).keep(seat.cluster, epoch);
  writeMark(fs, files, { state: "left", cluster: seat.cluster, epoch });
  await seat.store.keep({ ...record, state: "here" });
}

/** Finds or makes the stream and claims it. From then on no daemon of the cluster starts. */
async function claim(log: FolderLog, seat: ClusterSeat, options: MigrationOptions, needs: Needs) {
  const { store, machine } = seat;
  const found = await store.look();
  requireOwnRecord(log, seat, found ?? EMPTY, found === undefined ? undefined : await store.record(found));
  const { replicas } = options.cluster;
  const made = await store.make({ first: log.first, bytes: needs.bytes, replicas });
  const before = await store.record(made);
  const epoch = await epochFor(log, seat, options, before);
  const folder = realpathSync(options.cwd);
  const record: MigrationRecord = {
    state: "copying",
    created: made.created,
    machine,
    folder,
    epoch,
    folderEpoch: log.epoch,
  };
  await store.keep(record);
  try {
    await seat.requireAlone();
    const seen = (await store.look()) ?? made;
    requireOwnRecord(log, seat, seen, before);
    await requireBeginning(log, seat, seen, options);
    return { record, seen };
  } catch (error) {
    await store.keep(before ?? { ...record, created: "" }).catch(() => undefined);
    throw error;
  }
}

const EMPTY: SeenLog = { created: "", first: 1, head: 0, events: 0, maxBytes: -1 };

async function copyLog(log: FolderLog, seat: ClusterSeat, options: MigrationOptions): Promise<Moved> {
  const { store, cluster } = seat;
  const { progress } = options;
  const needs = await measure(log, seat, options);
  requireTaken(store, needs);
  const { record, seen } = await claim(log, seat, options, needs);
  let reported = seen.head;
  await store.write({
    copy: `copy-${epochText(log.epoch)}`,
    events: log.events,
    through: log.head,
    stored: (sequence) => {
      if (sequence - reported < 2000) return;
      reported = sequence;
      progress("copy", sequence, log.head);
    },
  });
  const after = (await store.look())?.first ?? log.first;
  const range = { after: Math.max(after, log.first) - 1, through: log.head };
  const isTrimmed = seen.events === 0 && range.after >= log.first;
  const { isSame, sha256, holes } = await compare(log, seat, range, options);
  if (!isSame || isTrimmed) throw mismatch(`the stream ${store.stream}`);
  await takeIntoUse(log, seat, record, options);
  return {
    cluster,
    events: log.head - range.after,
    first: range.after + 1,
    last: log.head,
    copied: log.head - Math.max(seen.head, log.first - 1),
    holes,
    sha256,
    epoch: epochText(record.epoch),
    cursors: record.epoch === log.epoch ? "continue" : "gap",
    kept: options.files.log,
    effect: seen.events === 0 ? "created" : "updated",
  };
}

/** What is there already, when the log of the folder was moved before. */
async function movedBefore(log: FolderLog, seat: ClusterSeat, kept: string): Promise<Moved | undefined> {
  const { store, cluster } = seat;
  const seen = await store.look();
  const record = seen === undefined ? undefined : await store.record(seen);
  if (seen === undefined || record?.state !== "here" || record.folderEpoch !== log.epoch) return undefined;
  const [epoch, events] = [epochText(record.epoch), seen.events];
  const cursors = record.epoch === log.epoch ? "continue" : "gap";
  const place = { cluster, kept, epoch, events, first: seen.first, last: seen.head };
  return { ...place, copied: 0, holes: 0, sha256: null, cursors, effect: "noop" };
}

/**
 * Copies the log of a folder into the stream of a cluster, each event at its own sequence, and takes the stream into use
 * when both sides have the same digest. The folder's log stays as it is. A call that was cut off is called again.
 */
export async function moveToStream(options: MigrationOptions): Promise<Moved> {
  const { fs, cwd, files, signal } = options;
  requireFormat(cwd);
  if (!existsSync(files.log)) throw noLog(files.log, `no log is in ${files.log}`);
  const lock = await takeWorkspace(cwd, files, signal);
  try {
    const mark = readMark(files);
    const isHere = mark === undefined || (mark.state === "left" && mark.cluster === options.cluster.cluster);
    if (!isHere) requireOwnLog(files);
    const log = await openFolderLog(fs, files.log);
    try {
      const seat = await takeSeat(options.cluster, signal);
      try {
        const before = mark === undefined ? undefined : await movedBefore(log, seat, files.log);
        if (before !== undefined) return before;
        const moved = await copyLog(log, seat, options);
        removeTree(fs, incomingOf(files));
        return moved;
      } finally {
        await seat.leave();
      }
    } finally {
      await log.close();
    }
  } finally {
    lock.release();
  }
}
