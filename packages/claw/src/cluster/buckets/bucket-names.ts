import { streamName } from "../stream-log/subjects.ts";

/** The buckets of a cluster. */
export interface BucketNames {
  /** Facts of the cluster, such as the epoch of its log. */
  readonly facts: string;
  readonly leases: string;
  /** Which numbers of ids are taken. */
  readonly ids: string;
  /** The places of durable subscriptions. */
  readonly durables: string;
  /** Reports of the machines about version and load. */
  readonly machines: string;
}

export function bucketNames(cluster: string): BucketNames {
  const name = streamName(cluster);
  return {
    facts: name,
    leases: `${name}_leases`,
    ids: `${name}_ids`,
    durables: `${name}_durables`,
    machines: `${name}_machines`,
  };
}

/** Keys of leases that one machine alone may write, when the servers know the machines. */
export const ownLeaseKey = (machine: string, what: string): string => `machine.${machine}.${what}`;

/** Keys of leases that any machine may take. */
export const sharedLeaseKey = (what: string): string => `shared.${what}`;
