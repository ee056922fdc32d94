import { parseJson } from "claw-contract";
import type { Bucket } from "../buckets/bucket.ts";
import { unreachable } from "../connection/nats-errors.ts";

export interface NumberOptions {
  /** Key of the bucket that says which numbers are taken. */
  readonly key: string;
  /** How many numbers a machine takes at once. */
  readonly size: number;
  /** With fewer numbers than this left, the next block is taken. */
  readonly lowWater: number;
  /** The lowest number to give; lower numbers were used by a log without a cluster. 1 when absent. */
  readonly atLeast?: number;
}

/** Gives numbers that no other machine of the cluster gives, and that were never given before. */
export interface NumberSource {
  /**
   * The next number. Throws `NATS_UNREACHABLE`, retryable, when the numbers are used up and no block could be taken;
   * each call tries again to take one.
   */
  readonly next: () => number;
  /**
   * Gives only numbers above one that is in the log. The bucket may have been replaced, or restored to an older point, and the log
   * not. Rejects as the bucket does.
   */
  readonly startAfter: (used: number) => Promise<void>;
}

interface Block {
  next: number;
  readonly end: number;
}

/** Attempts to take a block while other machines take theirs. */
const TRIES = 1000;

/** The lowest number that no machine has taken. */
function freeFrom(text: string | undefined): number {
  const next = (parseJson(text ?? "null") as { next?: unknown } | null | undefined)?.next;
  return typeof next === "number" && Number.isSafeInteger(next) ? next : 1;
}

/** The lowest number of a key that no machine has taken. Rejects as the bucket does. */
export const findFree = async (bucket: Bucket, key: string): Promise<number> =>
  freeFrom((await bucket.read(key))?.value);

/** Takes a block. When the answer to a write is lost, its numbers are lost too: no machine gives them. */
async function takeBlock(bucket: Bucket, { key, size, atLeast = 1 }: NumberOptions): Promise<Block> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const entry = await bucket.read(key);
    const next = Math.max(freeFrom(entry?.value), atLeast);
    const written = await bucket.write(key, JSON.stringify({ next: next + size }), entry?.revision ?? 0);
    if (written !== undefined) return { next, end: next + size };
  }
  throw unreachable(key, `other machines took the numbers of ${key} each time`);
}

/** Takes a first block. Rejects as the bucket does. */
export async function openNumberSource(bucket: Bucket, options: NumberOptions): Promise<NumberSource> {
  const blocks = [await takeBlock(bucket, options)];
  let isTaking = false;
  let trouble: unknown;
  let { atLeast = 1 } = options;
  const left = (): number => blocks.reduce((sum, { next, end }) => sum + end - next, 0);
  /** Leaves out the numbers that must not be given. */
  const raise = (): void => {
    for (const block of blocks) block.next = Math.min(Math.max(block.next, atLeast), block.end);
  };
  const take = async (): Promise<void> => {
    isTaking = true;
    try {
      blocks.push(await takeBlock(bucket, { ...options, atLeast }));
      trouble = undefined;
    } catch (error) {
      trouble = error;
    } finally {
      isTaking = false;
    }
  };
  return {
    next: () => {
      if (!isTaking && left() <= options.lowWater) void take();
      raise();
      while (blocks[0]?.next === blocks[0]?.end && blocks.length > 0) blocks.shift();
      const block = blocks[0];
      if (block === undefined) throw unreachable(options.key, `no number of ${options.key} is left for now`, trouble);
      block.next += 1;
      return block.next - 1;
    },
    startAfter: async (used) => {
      atLeast = Math.max(atLeast, used + 1);
      raise();
      if (left() === 0) blocks.push(await takeBlock(bucket, { ...options, atLeast }));
    },
  };
}
