import { jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { describeOnNats } from "../testing/nats-suite.ts";
import { bucketConformance } from "./bucket.conformance.ts";
import { openNatsBucket } from "./nats-bucket.ts";

describeOnNats("a bucket on NATS", "", (nats) => {
  bucketConformance({
    open: async (count) => {
      const name = nats.name();
      const connections = await Promise.all(Array.from({ length: count }, () => nats.connect()));
      return Promise.all(connections.map((connection) => openNatsBucket(connection, { name })));
    },
  });

  test("is a key-value bucket for the tools of NATS", async () => {
    const name = nats.name();
    const connection = await nats.connect();
    const bucket = await openNatsBucket(connection, { name });
    await bucket.write("a.b", "one", 0);
    const foreign = await new Kvm(connection).open(name);
    expect((await foreign.get("a.b"))?.string()).toBe("one");
    await foreign.delete("a.b");
    expect(await bucket.read("a.b")).toBeUndefined();
    expect(await bucket.write("a.b", "two", 0)).toBeGreaterThan(0);
  });

  test("forgets a key that was not written for its time", async () => {
    const name = nats.name();
    const bucket = await openNatsBucket(await nats.connect(), { name, ttlMs: 200 });
    await bucket.write("a", "one", 0);
    await until(async () => (await bucket.read("a")) === undefined);
    expect(await bucket.write("a", "two", 0)).toBeGreaterThan(1);
  });

  test("is refused when its stream has another configuration", async () => {
    const name = nats.name();
    const connection = await nats.connect();
    await openNatsBucket(connection, { name, ttlMs: 1000 });
    await openNatsBucket(connection, { name, ttlMs: 1000 });
    await expect(openNatsBucket(connection, { name, ttlMs: 2000 })).rejects.toMatchObject({
      code: "NATS_STREAM_UNFIT",
      message: `the NATS stream KV_${name} has another configuration: max_age is 1000000000, not 2000000000`,
    });
  });

  test("cannot be emptied by a header of a message, nor by the tools of NATS", async () => {
    const name = nats.name();
    const connection = await nats.connect();
    const bucket = await openNatsBucket(connection, { name });
    await bucket.write("a", "one", 0);
    const foreign = await new Kvm(connection).open(name);
    await expect(foreign.purge("a")).rejects.toThrow("rollup");
    const manager = await jetstreamManager(connection);
    await expect(manager.streams.purge(`KV_${name}`)).rejects.toThrow("purge");
    expect((await bucket.read("a"))?.value).toBe("one");
  });

  test("a watch goes on after the server started again, and a call without an answer says that it may be repeated", async () => {
    const name = nats.name();
    const bucket = await openNatsBucket(await nats.connect(), { name, answerMs: 200 });
    const seen: string[] = [];
    const watch = await bucket.watch(">", ({ key }) => void seen.push(key));
    const server = nats.server();
    await server.kill();
    await expect(bucket.write("a", "one", 0)).rejects.toMatchObject({ code: "NATS_UNREACHABLE", retryable: true });
    await nats.restart();
    await until(async () => (await bucket.read("a").catch(() => null)) !== null);
    await bucket.write("b", "two", 0);
    await until(() => seen.includes("b"));
    watch.close();
  });
});
