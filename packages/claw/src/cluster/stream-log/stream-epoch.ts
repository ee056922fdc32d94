import type { StreamInfo } from "@nats-io/jetstream";
import { ClawError, parseJson } from "claw-contract";
import type { Bucket } from "../buckets/bucket.ts";
import { messageIdOf } from "./stream-message.ts";
import type { StreamReader } from "./stream-reader.ts";

/** Facts about the stream that a daemon followed last. */
export interface SeenStream {
  readonly epoch: number;
  /** When the stream was made, as its servers say. */
  readonly created: string;
  readonly head: number;
  /** Id of the message at the head; empty when the head is 0. */
  readonly mark: string;
}

/** Where a daemon remembers the stream across restarts. */
export interface StreamMemory {
  load(): SeenStream | undefined;
  save(seen: SeenStream): void;
}

/** The epoch of a cluster's log, agreed by all daemons: a key of a bucket, changed by compare-and-set. */
export interface ClusterEpoch {
  /**
   * The epoch of a stream. A stream other than the last followed stream gets the next epoch. An epoch that is given is above
   * `above`.
   */
  agree(info: StreamInfo, seen: SeenStream | undefined, isSame: boolean, above?: number): Promise<number>;
  /** The epoch that holds now; 0 when none was agreed. */
  current(): Promise<number>;
  /** Gives a stream an epoch, no lower than any before. For a process that filled the stream while no daemon ran. */
  settle(epoch: number, created: string): Promise<void>;
}

interface Agreed {
  readonly epoch: number;
  readonly created: string;
  readonly revision: number;
}

const KEY = "epoch";

async function read(bucket: Bucket): Promise<Agreed | undefined> {
  const entry = await bucket.read(KEY);
  if (entry === undefined) return undefined;
  const { epoch, created } = (parseJson(entry.value) ?? {}) as Partial<Agreed>;
  if (!Number.isSafeInteger(epoch) || typeof created !== "string") {
    throw new ClawError("NATS_REFUSED", `the key ${KEY} holds no epoch`, { operation: "agree_epoch", target: KEY });
  }
  return { epoch: epoch as number, created, revision: entry.revision };
}

const TRIES = 20;

const notAgreed = (): ClawError =>
  new ClawError("NATS_REFUSED", "the epoch of the log could not be agreed", { operation: "agree_epoch", target: KEY });

/** The epoch in the bucket of a cluster's facts. */
export function createClusterEpoch(bucket: Bucket): ClusterEpoch {
  /** Resolves with false when another daemon has put its value first. */
  const put = async (epoch: number, created: string, revision: number): Promise<boolean> =>
    (await bucket.write(KEY, JSON.stringify({ epoch, created }), revision)) !== undefined;
  return {
    current: async () => (await read(bucket))?.epoch ?? 0,
    agree: async (info, seen, isSame, above = 0) => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const agreed = await read(bucket);
        const known = Math.max(agreed?.epoch ?? 0, seen?.epoch ?? 0);
        // Another daemon noticed the same change and has agreed on an epoch beyond the one this daemon saw.
        const isNoted = agreed?.created === info.created && (isSame || agreed.epoch > (seen?.epoch ?? 0));
        if (agreed !== undefined && isNoted && agreed.epoch === known) return agreed.epoch;
        const isKnown = agreed === undefined && isSame && known > 0;
        const epoch = isKnown ? known : Math.max(known, above) + 1;
        if (await put(epoch, info.created, agreed?.revision ?? 0)) return epoch;
      }
      throw notAgreed();
    },
    settle: async (epoch, created) => {
      const agreed = await read(bucket);
      if (agreed?.epoch === epoch && agreed.created === created) return;
      const isLower = epoch < (agreed?.epoch ?? 0);
      if (isLower || !(await put(epoch, created, agreed?.revision ?? 0))) throw notAgreed();
    },
  };
}

/** Whether a stream is the last followed stream: same time of creation, same newest message. */
export async function isSameStream(
  info: StreamInfo,
  seen: SeenStream,
  reader: Pick<StreamReader, "find">,
): Promise<boolean> {
  if (info.created !== seen.created || info.state.last_seq < seen.head) return false;
  if (seen.head === 0 || seen.head < info.state.first_seq) return true;
  const message = await reader.find(seen.head);
  return message === undefined ? false : messageIdOf(message) === seen.mark;
}
