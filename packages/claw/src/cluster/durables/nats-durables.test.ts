import { expect, test } from "vitest";
import { durableStoreConformance } from "../../bus/delivery/durable/durable-store.conformance.ts";
import { until } from "../../process/testing/until.ts";
import type { Bucket } from "../buckets/bucket.ts";
import { openNatsBucket } from "../buckets/nats-bucket.ts";
import type { NatsSuite } from "../testing/nats-suite.ts";
import { describeOnNats } from "../testing/nats-suite.ts";
import { clusterDurablesConformance } from "./cluster-durables.conformance.ts";
import { openClusterDurables } from "./cluster-durables.ts";

const bucketsOn = (nats: NatsSuite, count: number, name = nats.name()): Promise<readonly Bucket[]> =>
  Promise.all(
    Array.from({ length: count }, async () => openNatsBucket(await nats.connect(), { name, answerMs: 1000 })),
  );

describeOnNats("durable subscriptions on NATS", "", (nats) => {
  durableStoreConformance(() => {
    const name = nats.name();
    return {
      open: async () => {
        const [bucket] = (await bucketsOn(nats, 1, name)) as [Bucket];
        return openClusterDurables(bucket);
      },
    };
  });

  clusterDurablesConformance({ open: (count) => bucketsOn(nats, count) });

  test("an acknowledged place outlives a killed server", async () => {
    const name = nats.name();
    const [bucket, other] = (await bucketsOn(nats, 2, name)) as [Bucket, Bucket];
    const record = { name: "a", topic: "x.*", epoch: "0001", acked: 3 };
    await (await openClusterDurables(bucket)).save(record);
    await nats.server().kill();
    await nats.restart();
    const again = await until(() => openClusterDurables(other).catch(() => false as const));
    expect(again.get("a")).toEqual(record);
  });
});
