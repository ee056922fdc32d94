import { parseJson } from "claw-contract";
import type { Fence } from "../../bus/index.ts";
import type { Bucket } from "../buckets/bucket.ts";
import { unreachable } from "../connection/nats-errors.ts";
import type { Lease, Leases } from "./lease.ts";

/** The numbers that events carry for leases. */
export interface LeaseNumbers {
  /** The number of a lease that this daemon has just taken. Rejects as the bucket does. */
  take(lease: NumberedLease): Promise<number>;
  /**
   * The number of a lease again, when events under the number count nowhere although the lease is held: the bucket of the
   * leases was replaced, or restored to an older point, and the log was not. Rejects as the bucket does.
   */
  check(lease: NumberedLease, number: number): Promise<number>;
}

export interface NumberedLease extends Pick<Lease, "key" | "fence"> {
  /** The key that events name the lease by. */
  readonly mark: string;
}

export interface NumberDeps {
  readonly leases: Pick<Leases, "holderOf">;
  /** The bucket of the cluster's facts, whose keys do not expire. */
  readonly facts: Bucket;
  /** The numbers that the log has; undefined while the log has not been read. */
  readonly logged: () => Pick<Fence, "newest" | "highest"> | undefined;
}

const KEY = "lease-numbers";
const TRIES = 100;

/** What is added to the fencing number of each lease. */
async function readBase(facts: Bucket): Promise<{ readonly base: number; readonly revision: number }> {
  const entry = await facts.read(KEY);
  const base = (parseJson(entry?.value ?? "null") as { base?: unknown } | null | undefined)?.base;
  return { base: Number.isSafeInteger(base) ? (base as number) : 0, revision: entry?.revision ?? 0 };
}

/** Raises the base above all numbers in the log, unless another daemon has raised it meanwhile. */
async function raiseBase(facts: Bucket, atLeast: number): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { base, revision } = await readBase(facts);
    if (base >= atLeast) return base;
    if ((await facts.write(KEY, JSON.stringify({ base: atLeast }), revision)) !== undefined) return atLeast;
  }
  throw unreachable(KEY, "other machines wrote each time");
}

/**
 * The number of a lease is the revision of its create. When the bucket of the leases begins anew, a base is added to all numbers,
 * so that they stay above those in the log.
 */
export function createLeaseNumbers({ leases, facts, logged }: NumberDeps): LeaseNumbers {
  const above = async ({ fence }: NumberedLease, newest: number): Promise<number> => {
    const { base } = await readBase(facts);
    if (base + fence > newest) return base + fence;
    return (await raiseBase(facts, Math.max(newest, logged()?.highest() ?? 0))) + fence;
  };
  return {
    take: (lease) => above(lease, logged()?.newest(lease.mark) ?? 0),
    check: async (lease, number) => {
      const newest = logged()?.newest(lease.mark) ?? 0;
      // Only the present holder may raise its number.
      const isHolder = newest > number && (await leases.holderOf(lease.key))?.fence === lease.fence;
      return isHolder ? above(lease, newest) : number;
    },
  };
}
