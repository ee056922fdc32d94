import { bucketNames, ownLeaseKey, sharedLeaseKey } from "../buckets/bucket-names.ts";
import { streamName } from "../stream-log/subjects.ts";

/** Subjects that a user of NATS may publish and subscribe. All others are refused by the servers. */
export interface MachinePermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The first part of the subjects on which a machine gets answers, so that no machine reads the answers of another. */
export const inboxOf = (cluster: string, machine: string): string => `_INBOX.claw.${cluster}.${machine}`;

/** Subjects for reading and following a stream, and for creating a stream. Creating never changes an existing stream. */
const readingOf = (stream: string): string[] => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.STREAM.CREATE.${stream}`,
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}.>`,
  `$JS.API.CONSUMER.CREATE.${stream}`,
  `$JS.API.CONSUMER.CREATE.${stream}.>`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
  `$JS.FC.${stream}.>`,
];

/** The streams of a cluster: the log, and one for each bucket. */
const streamsOf = (cluster: string): string[] => [
  streamName(cluster),
  ...Object.values(bucketNames(cluster)).map((name) => `KV_${String(name)}`),
];

/**
 * What one machine's daemon may do: publish its own events, speak to other daemons in its own name, write its own leases and those that all machines share, and
 * read everything of the cluster. It may not change, purge or delete a stream.
 */
export function machinePermissions(cluster: string, machine: string): MachinePermissions {
  const { facts, leases, ids, durables, machines } = bucketNames(cluster);
  return {
    publish: [
      `claw.${cluster}.${machine}.>`,
      `claw-route.${cluster}.*.${machine}`,
      "$JS.API.INFO",
      ...streamsOf(cluster).flatMap(readingOf),
      `$KV.${facts}.>`,
      `$KV.${leases}.${ownLeaseKey(machine, ">")}`,
      `$KV.${leases}.${sharedLeaseKey(">")}`,
      `$KV.${ids}.>`,
      `$KV.${durables}.>`,
      `$KV.${machines}.machine.${machine}`,
    ],
    subscribe: [`${inboxOf(cluster, machine)}.>`, `claw-route.${cluster}.${machine}.*`],
  };
}
