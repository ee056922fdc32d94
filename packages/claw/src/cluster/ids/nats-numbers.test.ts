import { expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { openNatsBucket } from "../buckets/nats-bucket.ts";
import { describeOnNats } from "../testing/nats-suite.ts";
import { numberConformance } from "./number-source.conformance.ts";
import { openNumberSource } from "./number-source.ts";

describeOnNats("numbers of a cluster on NATS", "", (nats) => {
  numberConformance({
    open: async (count) => {
      const name = nats.name();
      const connections = await Promise.all(Array.from({ length: count }, () => nats.connect()));
      return Promise.all(connections.map((connection) => openNatsBucket(connection, { name })));
    },
  });

  test("are not given again after the server was killed and started again", async () => {
    const bucket = await openNatsBucket(await nats.connect(), { name: nats.name(), answerMs: 200 });
    const options = { key: "next.peer", size: 4, lowWater: 1 };
    const { next } = await openNumberSource(bucket, options);
    const before = [next(), next(), next()];
    await nats.server().kill();
    expect([...before, next()]).toEqual([1, 2, 3, 4]);
    expect(next).toThrow("no number of next.peer is left");
    await nats.restart();
    const after = await until(() => {
      try {
        return next();
      } catch {
        return false;
      }
    });
    expect(after).toBeGreaterThan(4);
  });
});
