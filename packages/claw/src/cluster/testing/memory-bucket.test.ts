import { describe, expect, test } from "vitest";
import { bucketConformance } from "../buckets/bucket.conformance.ts";
import { createMemoryBucket } from "./memory-bucket.ts";

describe("a bucket in memory", () => {
  bucketConformance({
    open: (count) => {
      const bucket = createMemoryBucket();
      return Promise.resolve(Array.from({ length: count }, () => bucket));
    },
  });

  test("forgets a key that was not written for its time", async () => {
    let now = 0;
    const bucket = createMemoryBucket({ ttlMs: 100, now: () => now });
    const first = (await bucket.write("a", "one", 0)) ?? 0;
    now = 99;
    const second = (await bucket.write("a", "two", first)) ?? 0;
    now = 198;
    expect((await bucket.read("a"))?.value).toBe("two");
    now = 199;
    expect(await bucket.read("a")).toBeUndefined();
    expect(await bucket.write("a", "three", second)).toBeUndefined();
    expect(await bucket.write("a", "three", 0)).toBe(second + 1);
  });
});
