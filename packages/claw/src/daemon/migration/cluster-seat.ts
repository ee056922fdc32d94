import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { ClawError } from "claw-contract";
import type * as Nats from "../../cluster/index.ts";
import type {
  Bucket,
  BucketNames,
  ClusterDurables,
  ClusterStore,
  Leases,
  SeenHolder,
  SeenLog,
  UsedNumbers,
} from "../../cluster/index.ts";
import { holdName, NAME_LEASE_MS } from "../cluster/hold-name.ts";
import type { ClusterOptions } from "../process/daemon-options.ts";

/** The cluster, for a process that moves a log. The process holds the name of its machine, as a daemon would. */
export interface ClusterSeat {
  readonly cluster: string;
  readonly machine: string;
  readonly store: ClusterStore;
  openDurables(): Promise<ClusterDurables>;
  /** Numbers that ids of the log have used are not given again. */
  settleNumbers(used: UsedNumbers): Promise<void>;
  /** The highest numbers that machines of the cluster may have given. */
  takenNumbers(): Promise<Required<Pick<UsedNumbers, "peer" | "subscription" | "terminal">>>;
  /** Rejects with CLUSTER_RUNNING while another machine's daemon runs. Waits until a daemon that was killed is forgotten. */
  requireAlone(): Promise<void>;
  /** Idempotent. */
  leave(): Promise<void>;
}

const AGAIN_MS = 250;
/** A server may remove an expired lease so much later. */
const SLACK_MS = 2000;

const isRunning = (cluster: string, machine: string): ClawError =>
  new ClawError("CLUSTER_RUNNING", `the daemon of ${machine} runs in the cluster ${cluster}`, {
    operation: "migrate",
    target: cluster,
    details: { machine },
  });

/** The machines whose name is held, or was until a moment ago. */
async function namesHeld(bucket: Bucket): Promise<string[]> {
  const names = new Set<string>();
  const watch = await bucket.watch("machine.>", ({ key, value }) => {
    const [, machine = "", what] = key.split(".");
    if (what === "name" && value !== undefined) names.add(machine);
  });
  watch.close();
  return [...names];
}

/** Waits until a name is free. Rejects with CLUSTER_RUNNING when its holder renews it. */
async function requireFree(leases: Leases, key: string, running: ClawError): Promise<void> {
  let first: SeenHolder | undefined;
  for (const end = performance.now() + NAME_LEASE_MS + SLACK_MS; ;) {
    const holder = await leases.holderOf(key);
    if (holder === undefined) return;
    const isAlive = first !== undefined && holder.revision !== first.revision;
    if (isAlive || performance.now() > end) throw running;
    first ??= holder;
    await delay(AGAIN_MS);
  }
}

interface Opening {
  readonly nats: typeof Nats;
  readonly cluster: string;
  readonly machine: string;
  /** Opens a bucket of the cluster, and makes it if it is not there. */
  readonly open: (name: keyof BucketNames) => Promise<Bucket>;
}

/** What of a seat concerns the numbers of ids. */
const numbersOf = ({ nats, open }: Opening): Pick<ClusterSeat, "settleNumbers" | "takenNumbers"> => ({
  settleNumbers: async (used) => void (await nats.openClusterNumbers(await open("ids"), used)),
  takenNumbers: async () => {
    const ids = await open("ids");
    const kinds = ["peer", "subscription", "terminal"] as const;
    const [peer = 1, subscription = 1, terminal = 1] = await Promise.all(
      kinds.map((kind) => nats.freeNumber(ids, kind)),
    );
    return { peer: peer - 1, subscription: subscription - 1, terminal: terminal - 1 };
  },
});

/** Takes the name of this machine, as a daemon does, and finds out which other machines run. */
async function takeName({ nats, cluster, machine, open }: Opening) {
  const bucket = await open("leases");
  const leases = nats.createLeases(bucket, { ttlMs: NAME_LEASE_MS });
  const holder = `claw bus migrate, process ${process.pid}, ${hostname()}`;
  const key = nats.ownLeaseKey(machine, "name");
  const numbers = nats.createLeaseNumbers({ leases, facts: await open("facts"), logged: () => undefined });
  const name = await holdName({ machine, holder, leases, numbers, key, report: () => undefined });
  return {
    release: () => name.release(),
    requireAlone: async () => {
      for (const other of await namesHeld(bucket)) {
        if (other !== machine) await requireFree(leases, nats.ownLeaseKey(other, "name"), isRunning(cluster, other));
      }
    },
  };
}

/** Joins the cluster for moving a log. Rejects as a daemon that joins does. */
export async function takeSeat(options: ClusterOptions, signal: AbortSignal): Promise<ClusterSeat> {
  const nats = await import("../../cluster/index.ts");
  const cluster = nats.requireSegment("--cluster", options.cluster);
  const machine = nats.requireSegment("--machine", options.machine);
  const { replicas = 1 } = options;
  const inboxPrefix = nats.inboxOf(cluster, machine);
  const connection = await nats.openConnection({ ...options.address, name: machine, inboxPrefix });
  const names = nats.bucketNames(cluster);
  const open: Opening["open"] = (name) =>
    nats.openNatsBucket(connection.nats, {
      name: names[name],
      replicas,
      ...(name === "leases" ? { ttlMs: NAME_LEASE_MS } : {}),
    });
  const opening = { nats, cluster, machine, open };
  const opened: (() => Promise<void> | void)[] = [() => connection.close()];
  const leave = async (): Promise<void> => {
    for (const close of opened.splice(0).toReversed()) await close();
  };
  try {
    const { release, requireAlone } = await takeName(opening);
    opened.push(() => (connection.isConnected() ? release() : undefined));
    const store = await nats.openClusterStore(connection, { cluster, machine, facts: await open("facts"), signal });
    const openDurables = async (): Promise<ClusterDurables> => nats.openClusterDurables(await open("durables"));
    return { cluster, machine, store, openDurables, requireAlone, leave, ...numbersOf(opening) };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** The stream of a cluster as it is, for a dry run: holds no name, and makes nothing. */
export async function lookAtCluster(options: ClusterOptions): Promise<SeenLog | undefined> {
  const nats = await import("../../cluster/index.ts");
  const cluster = nats.requireSegment("--cluster", options.cluster);
  const machine = nats.requireSegment("--machine", options.machine);
  const inboxPrefix = nats.inboxOf(cluster, machine);
  const connection = await nats.openConnection({ ...options.address, name: machine, inboxPrefix });
  try {
    return await nats.lookAtStream(connection, cluster);
  } finally {
    await connection.close();
  }
}
