import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ClawError } from "claw-contract";
import type { Lease, LeaseNumbers, Leases, MachineDirectory, NatsRouter, StreamLog } from "../../cluster/index.ts";
import type { ClusterOpening } from "./join-cluster.ts";
import { NAME_LEASE_MS } from "./hold-name.ts";
import type { OnceLeases } from "./once-leases.ts";
import { createOnceLeases } from "./once-leases.ts";

/** The other machines of the cluster. */
export interface Companions {
  readonly router: NatsRouter;
  readonly directory: MachineDirectory;
  /**
   * Claims a name for a worker. Resolves, when this daemon knows the workers of all who had the claim before, with the function
   * that gives the claim up, or with undefined when another machine has it. Rejects with NATS_UNREACHABLE.
   */
  readonly claimName: (name: string) => Promise<(() => Promise<void>) | undefined>;
  /** As `Judges.decide`. */
  readonly decide: (what: string) => Promise<() => Promise<void>>;
  /** What is done once in the cluster. */
  readonly onces: OnceLeases;
}

export interface CompanionOptions {
  readonly leases: Leases;
  readonly numbers: LeaseNumbers;
  readonly log: Pick<StreamLog, "caughtUp">;
  /** Called when there may be work that is due. */
  readonly touch: () => void;
  readonly isHeard: (machine: string) => boolean;
  readonly report: (text: string) => void;
}

/** Leases of names and decisions. The named things may have dots, which would part the key of a lease. */
const keyOf = (kind: "worker-name" | "decision", named: string): string =>
  `${kind}.${createHash("sha256").update(named).digest("hex").slice(0, 32)}`;

/** Pause between two attempts to take the lease of a decision. */
const AGAIN_MS = 100;
/** Longest wait for the decision of another daemon: its lease ends when the daemon does. */
const PATIENCE_MS = 2 * NAME_LEASE_MS;
/** Attempts to take a lease of what is done once, for each time of a lease. */
const ATTEMPTS = 4;

async function takeDecision(leases: Leases, key: string, machine: string): Promise<Lease> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
    const lease = await leases.acquire(key, machine);
    if (lease !== undefined) return lease;
    await delay(AGAIN_MS);
  }
  throw new ClawError("MACHINE_AWAY", "the machine is gone, and another daemon decides in its place", {
    operation: "decide",
    target: machine,
    retryAfterMs: NAME_LEASE_MS,
  });
}

/** Waits until this daemon knows what earlier holders of the lease have written. Returns the function that gives it up. */
async function knowing(lease: Lease, log: CompanionOptions["log"]): Promise<() => Promise<void>> {
  try {
    await log.caughtUp();
  } catch (error) {
    await lease.release();
    throw error;
  }
  return () => lease.release();
}

/** Opens what a daemon needs to speak of and to other machines. */
export async function openCompanions(
  { nats, connection, names, replicas, cluster, machine }: ClusterOpening,
  { leases, numbers, log, touch, isHeard, report }: CompanionOptions,
): Promise<Companions & { readonly close: () => Promise<void> }> {
  const reports = await nats.openNatsBucket(connection.nats, { name: names.machines, replicas });
  const directory = await nats.openMachineDirectory(reports, {
    machine,
    isHeard,
    failed: (error) => report(`this machine is not listed: ${String(error)}`),
  });
  const router = nats.openNatsRouter(connection, { cluster, machine, report });
  const onces = createOnceLeases({
    leases,
    numbers,
    machine,
    report,
    taken: touch,
    keyOf: (what) => nats.sharedLeaseKey(`once.${what.replaceAll(/[^A-Za-z0-9_.-]/g, "_").replaceAll(".", "_")}`),
    againMs: NAME_LEASE_MS / ATTEMPTS,
  });
  return {
    router,
    directory,
    onces,
    claimName: async (name) => {
      const lease = await leases.acquire(nats.sharedLeaseKey(keyOf("worker-name", name)), machine);
      return lease === undefined ? undefined : knowing(lease, log);
    },
    decide: async (what) =>
      knowing(await takeDecision(leases, nats.sharedLeaseKey(keyOf("decision", what)), machine), log),
    close: async () => {
      // Without NATS, the leases end by themselves.
      if (connection.isConnected()) await onces.release();
      directory.close();
      router.close();
    },
  };
}
