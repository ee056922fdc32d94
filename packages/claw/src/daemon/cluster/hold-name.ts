import { setTimeout as delay } from "node:timers/promises";
import { ClawError } from "claw-contract";
import { nameLease } from "../../bus/index.ts";
import type { Lease, LeaseNumbers, Leases, SeenHolder } from "../../cluster/index.ts";

/** How long a machine keeps its name without a sign of life. */
export const NAME_LEASE_MS = 10_000;
const AGAIN_MS = 250;
/** A server may remove an expired lease so much later. */
const SLACK_MS = 2000;

/** The name of a machine, held by one daemon of the cluster. */
export interface HeldName {
  /** Resolves when another daemon has the name: this one has to end. */
  readonly lost: Promise<ClawError>;
  /** The number of the lease, which events of this daemon carry. */
  number(this: void): number;
  /** Finds the number again, now that the log was read. Rejects with NATS_UNREACHABLE. */
  settle(): Promise<void>;
  /** Looks at the number after an event under it counted nowhere. Never rejects. */
  check(this: void): void;
  /** Gives the name up. Idempotent. */
  release(): Promise<void>;
}

export interface NameOptions {
  readonly leases: Leases;
  readonly numbers: LeaseNumbers;
  readonly key: string;
  readonly machine: string;
  /** Says which daemon holds the name, for people. */
  readonly holder: string;
  readonly report: (text: string) => void;
  /** How long a name that another daemon holds is waited for. The time of a lease when absent. */
  readonly patienceMs?: number;
}

const taken = (machine: string, by: string): ClawError =>
  new ClawError("MACHINE_NAME_TAKEN", `another daemon of the cluster is ${machine}: ${by}`, {
    operation: "join_cluster",
    target: machine,
  });

/**
 * Takes the name. A daemon that was killed holds it for the lease's time, which is waited for; a daemon that renews the
 * lease meanwhile lives. Rejects with MACHINE_NAME_TAKEN, or as the lease does.
 */
async function take(options: NameOptions): Promise<Lease> {
  const { leases, key, machine, holder, patienceMs = NAME_LEASE_MS + SLACK_MS } = options;
  let first: SeenHolder | undefined;
  for (const end = performance.now() + patienceMs; ;) {
    const lease = await leases.acquire(key, holder);
    if (lease !== undefined) return lease;
    const seen = await leases.holderOf(key);
    const isAlive = seen?.fence === first?.fence && seen?.revision !== first?.revision;
    if (isAlive || performance.now() > end) throw taken(machine, seen?.holder ?? "not known");
    first = seen;
    await delay(AGAIN_MS);
  }
}

/** Takes the name of a machine, and takes it again when NATS was away for longer than the lease. */
export async function holdName(options: NameOptions): Promise<HeldName> {
  const { numbers, key, machine, report } = options;
  const numbered = ({ fence }: Lease) => ({ key, fence, mark: nameLease(machine, fence).key });
  let lease = await take(options);
  let number = await numbers.take(numbered(lease));
  let isOver = false;
  const keep = async (): Promise<ClawError> => {
    for (;;) {
      await lease.ended;
      if (isOver) return new Promise(() => undefined);
      try {
        lease = await take(options);
        number = await numbers.take(numbered(lease));
      } catch (error) {
        if (error instanceof ClawError && error.code === "MACHINE_NAME_TAKEN") return error;
        report(`the name ${options.machine} cannot be held for now: ${String(error)}`);
        await delay(AGAIN_MS);
      }
    }
  };
  return {
    lost: keep(),
    number: () => number,
    settle: async () => void (number = await numbers.take(numbered(lease))),
    check: () => {
      const held = lease;
      const checked = (now: number): void => void (lease === held && (number = now));
      numbers.check(numbered(held), number).then(checked, (error: unknown) => report(String(error)));
    },
    release: async () => {
      isOver = true;
      await lease.release();
    },
  };
}
