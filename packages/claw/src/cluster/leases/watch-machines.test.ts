import { expect, test } from "vitest";
import { ownLeaseKey } from "../buckets/bucket-names.ts";
import { createMemoryBucket } from "../testing/memory-bucket.ts";
import { watchMachines } from "./watch-machines.ts";

test("a machine is heard as long as it renews its lease, and again when it comes back", async () => {
  const bucket = createMemoryBucket();
  let at = 0;
  const renew = async (machine: string): Promise<void> => {
    const key = ownLeaseKey(machine, "name");
    await bucket.write(key, "{}", (await bucket.read(key))?.revision ?? 0);
  };
  await renew("one");
  const { silenceOf, close } = await watchMachines(bucket, { leaseMs: 100, now: () => at });
  at = 100;
  expect([silenceOf("one"), silenceOf("two")]).toEqual([undefined, undefined]);
  await renew("one");
  at = 150;
  expect([silenceOf("one"), silenceOf("two")]).toEqual([undefined, 150]);
  at = 230;
  expect(silenceOf("one")).toBe(130);
  await renew("one");
  expect(silenceOf("one")).toBeUndefined();
  close();
});
