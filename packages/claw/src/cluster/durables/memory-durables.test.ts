import { describe, expect, test } from "vitest";
import { durableStoreConformance } from "../../bus/delivery/durable/durable-store.conformance.ts";
import { settle, startBus } from "../../bus/testing/bus-harness.ts";
import { until } from "../../process/testing/until.ts";
import { createMemoryBucket } from "../testing/memory-bucket.ts";
import { clusterDurablesConformance } from "./cluster-durables.conformance.ts";
import { openClusterDurables } from "./cluster-durables.ts";

describe("durable subscriptions of a cluster in memory", () => {
  durableStoreConformance(() => {
    const bucket = createMemoryBucket();
    return { open: () => openClusterDurables(bucket) };
  });

  clusterDurablesConformance({
    open: (count) => {
      const bucket = createMemoryBucket();
      return Promise.resolve(Array.from({ length: count }, () => bucket));
    },
  });

  test("a reader at another bus takes the subscription over: the earlier reader is told, and its acknowledgement is refused", async () => {
    const bucket = createMemoryBucket();
    // Each bus has a log of its own here, with the same events.
    const reader = async () => {
      const durables = await openClusterDurables(bucket);
      const { connect, reports } = await startBus({ durables });
      const publisher = connect();
      await publisher.hello({ role: "orchestrator" });
      await publisher.ask({ cmd: "publish", topic: "note.x", payload: { n: 1 } });
      const client = connect();
      await client.hello({ role: "observer", capabilities: ["durable"] });
      await publisher.ask({ cmd: "publish", topic: "other.x", payload: { n: 2 } });
      const reply = await client.ask({ cmd: "subscribe", topic: "note.*", durable: "reader", fromCursor: "0000:0" });
      await settle();
      return { client, reply, reports };
    };
    const first = await reader();
    const { subscriptionId } = first.reply;
    const cursor = first.client.pushes()[0]?.["cursor"];
    expect(await first.client.ask({ cmd: "ack", subscriptionId, cursor })).toMatchObject({ ok: true });
    const second = await reader();
    expect(second.reply).toMatchObject({ ok: true, durable: "reader", ackedCursor: cursor });
    await until(() => first.client.pushes("detached").length > 0);
    expect(first.client.pushes("detached")).toMatchObject([{ subscriptionId, reason: "taken-over" }]);
    expect(await first.client.ask({ cmd: "ack", subscriptionId, cursor })).toMatchObject({ ok: false });
  });
});
