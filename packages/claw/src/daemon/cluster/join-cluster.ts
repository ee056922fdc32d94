import { hostname } from "node:os";
import type { ClawError } from "claw-contract";
import { LIMITS } from "claw-contract";
import type * as Nats from "../../cluster/index.ts";
import type {
  BucketNames,
  ClusterConnection,
  ClusterNumbers,
  SeenStream,
  StreamLog,
  StreamLogOptions,
  StreamMemory,
  UsedNumbers,
} from "../../cluster/index.ts";
import type { DurableStore, Fence, Judges } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { PRIVATE_FOLDER, readJsonFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import type { ClusterOptions } from "../process/daemon-options.ts";
import type { FolderEpochs } from "../process/folder-epochs.ts";
import type { WorkspaceFiles } from "../process/workspace-files.ts";
import type { Companions } from "./open-companions.ts";
import { openCompanions } from "./open-companions.ts";
import type { HeldName, NameOptions } from "./hold-name.ts";
import { holdName, NAME_LEASE_MS } from "./hold-name.ts";
import { followedDurables } from "./followed-durables.ts";
import type { ClusterFiles } from "./cluster-files.ts";
import { clusterFiles } from "./cluster-files.ts";

/** A daemon's place in its cluster. */
export interface Membership extends Omit<Companions, "decide" | "onces"> {
  readonly log: StreamLog;
  readonly files: ClusterFiles;
  readonly durability: "strict" | "relaxed";
  /** Why an acknowledgement means that, for people. */
  readonly durabilityReason: string;
  /** For how long a machine of the cluster was not heard; undefined while it is heard. */
  silenceOf(this: void, machine: string): number | undefined;
  /** Durable subscriptions, which any machine may serve. */
  readonly durables: DurableStore;
  /** Numbers for ids that are unique in the cluster. */
  readonly numbers: ClusterNumbers;
  /** Which daemon decides what no daemon owns. */
  readonly judges: Judges;
  /** Resolves when the log is no longer the one that was opened: the daemon has to end. */
  readonly lost: Promise<ClawError>;
  /** Ends the connection to NATS. Called when the log is closed and no part reads it any more. Idempotent. */
  leave(): Promise<void>;
}

export interface Joining {
  readonly fs: FileSystem;
  readonly files: WorkspaceFiles;
  readonly report: (text: string) => void;
  /** The highest numbers in ids of the folder's log. */
  readonly used: UsedNumbers;
  readonly epochs: Pick<FolderEpochs, "highest" | "of" | "keep">;
  /** The numbers of leases in the log; undefined before the log was read. */
  readonly fence: () => Pick<Fence, "newest" | "highest"> | undefined;
  /** Tells the daemon's clock that there may be work that is due. */
  readonly touch: () => void;
}

/**
 * Remembers the stream in a file. A file that says nothing is replaced. A file that cannot be written only means that an
 * older state of the stream is remembered.
 */
function fileMemory({ fs, report }: Joining, path: string): StreamMemory {
  let saved = "";
  return {
    load: () => readJsonFile<SeenStream>(path, LIMITS.settingsBytes) as SeenStream | undefined,
    save: (seen) => {
      const text = `${JSON.stringify(seen)}\n`;
      if (text === saved) return;
      try {
        withFileErrors("save", path, () => writeFileAtomically(fs, path, text));
        saved = text;
      } catch (error) {
        report(String(error));
      }
    },
  };
}

/**
 * Connects to NATS and opens the cluster's log. Rejects with INVALID_FLAG_VALUE, NATS_UNREACHABLE, NATS_REFUSED,
 * NATS_STREAM_UNFIT, LOG_NOT_MOVED.
 */
export async function joinCluster(options: ClusterOptions, joining: Joining): Promise<Membership> {
  const { files } = joining;
  // Only a daemon with --bus loads the client of NATS.
  const nats = await import("../../cluster/index.ts");
  const cluster = nats.requireSegment("--cluster", options.cluster);
  const machine = nats.requireSegment("--machine", options.machine);
  const own = clusterFiles(files, cluster);
  for (const folder of own.folders) joining.fs.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const inboxPrefix = nats.inboxOf(cluster, machine);
  const connection = await nats.openConnection({ ...options.address, name: machine, inboxPrefix });
  const opened: (() => Promise<void>)[] = [() => connection.close()];
  const leave = async (): Promise<void> => {
    for (const close of opened.splice(0).toReversed()) await close();
  };
  try {
    const { replicas = 1 } = options;
    const open = { nats, connection, names: nats.bucketNames(cluster), replicas, cluster, machine };
    return { ...(await openShared(open, { options, joining, opened })), files: own, leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

interface SharedOptions {
  readonly options: ClusterOptions;
  readonly joining: Joining;
  /** Closes what was opened; the last entry is called first. */
  readonly opened: (() => Promise<void>)[];
}

/** Takes the machine's name, then opens the log and the buckets that the machines share. */
async function openShared(
  open: ClusterOpening,
  { options, joining, opened }: SharedOptions,
): Promise<Omit<Membership, "files" | "leave">> {
  const { nats, connection, names, replicas } = open;
  const { report, touch } = joining;
  const bucket = await nats.openNatsBucket(connection.nats, { name: names.leases, ttlMs: NAME_LEASE_MS, replicas });
  const facts = await nats.openNatsBucket(connection.nats, { name: names.facts, replicas });
  const leases = nats.createLeases(bucket, { ttlMs: NAME_LEASE_MS });
  const numbers = nats.createLeaseNumbers({ leases, facts, logged: joining.fence });
  const name = await openName(open, { leases, numbers, report });
  // Without NATS, the lease ends by itself.
  opened.push(() => (connection.isConnected() ? name.release() : Promise.resolve()));
  const counting = { number: name.number, ignored: () => ignored.forEach((check) => check()) };
  const ignored = [name.check];
  const log = await openLog(open, options, { ...joining, counting });
  opened.push(() => log.close());
  const hearing = await nats.watchMachines(bucket, { leaseMs: NAME_LEASE_MS });
  opened.push(() => Promise.resolve(hearing.close()));
  const durables = await openDurables(open, log);
  opened.push(() => Promise.resolve(durables.close()));
  const ids = await nats.openNatsBucket(connection.nats, { name: names.ids, replicas });
  const { silenceOf } = hearing;
  const isHeard = (machine: string): boolean => silenceOf(machine) === undefined;
  const companionship = { leases, numbers, log, touch, isHeard, report };
  const { decide, onces, ...companions } = await openCompanions(open, companionship);
  opened.push(() => companions.close());
  ignored.push(onces.check);
  const isGone = (machine: string): boolean => (silenceOf(machine) ?? 0) > LIMITS.returnGraceMs;
  const { separateMachines, monitoring } = options;
  const version = connection.nats.info?.version ?? "";
  const durable = await nats.findDurability({ replicas: log.replicas, version, separateMachines, monitoring });
  return {
    log,
    ...companions,
    durables: durables.store,
    silenceOf,
    judges: { begin: () => name.settle(), once: onces.mandate, isGone, decide },
    numbers: await nats.openClusterNumbers(ids, joining.used),
    durability: durable.durability,
    durabilityReason: durable.why,
    lost: Promise.race([log.lost, name.lost]),
  };
}

export interface ClusterOpening {
  readonly nats: typeof Nats;
  readonly connection: ClusterConnection;
  readonly names: BucketNames;
  readonly replicas: number;
  readonly cluster: string;
  readonly machine: string;
}

async function openLog(
  { nats, connection, cluster, machine, replicas }: ClusterOpening,
  options: ClusterOptions,
  joining: Joining & { readonly counting: Pick<StreamLogOptions, "number" | "ignored"> },
): Promise<StreamLog> {
  const { epochs } = joining;
  const log = await nats.openStreamLog(connection, {
    cluster,
    machine,
    // Without a wish, an existing stream may have any number.
    limits: options.replicas === undefined ? {} : { replicas },
    cursors: { highest: epochs.highest(), own: epochs.of(cluster), mayMix: options.leaveLog },
    memory: fileMemory(joining, clusterFiles(joining.files, cluster).stream),
    report: joining.report,
    ...joining.counting,
  });
  epochs.keep(cluster, Number(log.epoch));
  return log;
}

/** The places of durable subscriptions, in a bucket of the cluster. */
async function openDurables({ nats, connection, names, replicas }: ClusterOpening, log: StreamLog) {
  const store = await nats.openClusterDurables(
    await nats.openNatsBucket(connection.nats, { name: names.durables, replicas }),
  );
  return { store: followedDurables(store, log), close: () => store.close() };
}

/** Takes the name of this machine. */
function openName(
  { nats, machine }: ClusterOpening,
  options: Pick<NameOptions, "leases" | "numbers" | "report">,
): Promise<HeldName> {
  const holder = `process ${process.pid}, ${hostname()}`;
  return holdName({ ...options, machine, holder, key: nats.ownLeaseKey(machine, "name") });
}
