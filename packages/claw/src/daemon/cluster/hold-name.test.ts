import { expect, onTestFinished, test } from "vitest";
import { createLeaseNumbers, createLeases, ownLeaseKey } from "../../cluster/index.ts";
import type { Bucket } from "../../cluster/index.ts";
import { createMemoryBucket } from "../../cluster/testing/memory-bucket.ts";
import type { HeldName } from "./hold-name.ts";
import { holdName, NAME_LEASE_MS } from "./hold-name.ts";

function asDaemon(bucket: Bucket, holder: string, patienceMs?: number): Promise<HeldName> {
  const leases = createLeases(bucket, { ttlMs: NAME_LEASE_MS });
  const key = ownLeaseKey("laptop", "name");
  const numbers = createLeaseNumbers({ leases, facts: createMemoryBucket(), logged: () => undefined });
  const options = { leases, numbers, key, machine: "laptop", holder, report: () => undefined };
  return holdName({ ...options, ...(patienceMs === undefined ? {} : { patienceMs }) });
}

test("a name that another daemon holds is refused, and the refusal names that daemon", async () => {
  const bucket = createMemoryBucket();
  const first = await asDaemon(bucket, "process 1, host");
  onTestFinished(() => first.release());
  await expect(asDaemon(bucket, "process 2, host", 0)).rejects.toMatchObject({
    code: "MACHINE_NAME_TAKEN",
    message: expect.stringContaining("process 1, host") as string,
  });
});

test("a name that is given up is taken by the daemon that waits for it", async () => {
  const bucket = createMemoryBucket();
  const first = await asDaemon(bucket, "process 1, host");
  const waiting = asDaemon(bucket, "process 2, host");
  await first.release();
  const second = await waiting;
  onTestFinished(() => second.release());
  expect((await bucket.read(ownLeaseKey("laptop", "name")))?.value).toContain("process 2");
});

test("a daemon whose name another daemon has taken meanwhile ends", async () => {
  const bucket = createMemoryBucket();
  const first = await asDaemon(bucket, "process 1, host", 0);
  onTestFinished(() => first.release());
  const key = ownLeaseKey("laptop", "name");
  const { value = "", revision = 0 } = (await bucket.read(key)) ?? {};
  await bucket.write(key, value.replace("process 1", "process 2"), revision);
  expect(await first.lost).toMatchObject({ code: "MACHINE_NAME_TAKEN" });
}, 30_000);
