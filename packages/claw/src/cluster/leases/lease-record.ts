import { parseJson } from "claw-contract";
import type { BucketEntry } from "../buckets/bucket.ts";

/** What the key of a lease holds. The first write of a lease has no fence: its revision is the fence. */
export interface LeaseRecord {
  readonly holder: string;
  /** Tells the writes of one lease from those of another that the same holder had. */
  readonly id: string;
  readonly fence?: number;
}

export function readLease({ value, revision }: Pick<BucketEntry, "value" | "revision">): Required<LeaseRecord> {
  const { holder, id, fence } = (parseJson(value) ?? {}) as Partial<LeaseRecord>;
  return { holder: String(holder), id: String(id), fence: typeof fence === "number" ? fence : revision };
}
