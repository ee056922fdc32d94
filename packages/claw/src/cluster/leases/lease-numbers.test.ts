import { describe } from "vitest";
import { openNatsBucket } from "../buckets/nats-bucket.ts";
import { createMemoryBucket } from "../testing/memory-bucket.ts";
import { describeOnNats } from "../testing/nats-suite.ts";
import { leaseNumbersConformance } from "./lease-numbers.conformance.ts";

describe("numbers of leases in memory", () => {
  leaseNumbersConformance({
    bucket: (ttlMs) => Promise.resolve(createMemoryBucket(ttlMs === undefined ? {} : { ttlMs })),
  });
});

describeOnNats("numbers of leases on NATS", "", (nats) => {
  leaseNumbersConformance({
    bucket: async (ttlMs) =>
      openNatsBucket(await nats.connect(), { name: nats.name(), ...(ttlMs === undefined ? {} : { ttlMs }) }),
  });
});
