import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { createUser } from "@nats-io/nkeys";
import type { NatsConnection } from "@nats-io/transport-node";
import { connect, nkeyAuthenticator } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { bucketNames, ownLeaseKey, sharedLeaseKey } from "../buckets/bucket-names.ts";
import { openNatsBucket } from "../buckets/nats-bucket.ts";
import { openClusterDurables } from "../durables/cluster-durables.ts";
import { openClusterNumbers } from "../ids/cluster-numbers.ts";
import { createLeases } from "../leases/create-leases.ts";
import { noticeSubject, routeSubject } from "../routing/route-subjects.ts";
import { describeOnNats } from "../testing/nats-suite.ts";
import { inboxOf } from "./machine-permissions.ts";
import { serverConfig } from "./server-config.ts";

const CLUSTER = "test";
const STREAM = `claw_${CLUSTER}`;
const NAMES = bucketNames(CLUSTER);
const TTL_MS = 60_000;
const [a, b] = ["a", "b"].map((machine) => ({ machine, pair: createUser() })) as [Machine, Machine];

interface Machine {
  readonly machine: string;
  readonly pair: ReturnType<typeof createUser>;
}

const config = serverConfig(
  CLUSTER,
  [a, b].map(({ machine, pair }) => ({ machine, publicKey: pair.getPublicKey() })),
);

describeOnNats("the configuration of nats-server for the machines of a cluster", config, (nats) => {
  const login = async ({ machine, pair }: Machine): Promise<NatsConnection> => {
    const connection = await connect({
      servers: nats.server().url,
      authenticator: nkeyAuthenticator(pair.getSeed()),
      inboxPrefix: inboxOf(CLUSTER, machine),
    });
    onTestFinished(() => connection.close());
    return connection;
  };
  const openStream = async (connection: NatsConnection) => {
    const manager = await jetstreamManager(connection, { timeout: 2000 });
    await manager.streams.add({ name: STREAM, subjects: [`claw.${CLUSTER}.>`], deny_delete: true, deny_purge: true });
    return { manager, client: jetstream(connection, { timeout: 2000 }) };
  };

  test("lets a machine do all that its daemon needs", async () => {
    const connection = await login(a);
    const { manager, client } = await openStream(connection);
    const { seq } = await client.publish(`claw.${CLUSTER}.a.worker.p_000001.boot`, "{}");
    const consumer = await client.consumers.get(STREAM, { opt_start_seq: seq, deliver_policy: "by_start_sequence" });
    expect((await consumer.next())?.subject).toBe(`claw.${CLUSTER}.a.worker.p_000001.boot`);
    expect((await manager.streams.getMessage(STREAM, { seq }))?.seq).toBe(seq);
    const leases = createLeases(await openNatsBucket(connection, { name: NAMES.leases, ttlMs: TTL_MS }), {
      ttlMs: TTL_MS,
    });
    const own = await leases.acquire(ownLeaseKey("a", "name"), "a");
    const shared = await leases.acquire(sharedLeaseKey("budget"), "a");
    expect([own?.isHeld(), shared?.isHeld()]).toEqual([true, true]);
    await Promise.all([own?.release(), shared?.release()]);
    const numbers = await openClusterNumbers(await openNatsBucket(connection, { name: NAMES.ids }));
    expect(numbers.nextPeer()).toBeGreaterThan(0);
    const durables = await openClusterDurables(await openNatsBucket(connection, { name: NAMES.durables }));
    await durables.save({ name: "r", topic: "x.*", epoch: "0001", acked: 1 });
    durables.close();
  });

  test("refuses a machine that publishes as another one", async () => {
    const { manager } = await openStream(await login(b));
    const before = (await manager.streams.info(STREAM)).state.messages;
    const { client } = await openStream(await login(a));
    await expect(client.publish(`claw.${CLUSTER}.b.worker.p_000002.boot`, "{}")).rejects.toThrow(
      /permissions violation/i,
    );
    expect((await manager.streams.info(STREAM)).state.messages).toBe(before);
  });

  test("refuses a machine that takes or removes another machine's lease", async () => {
    const open = async (machine: Machine) =>
      openNatsBucket(await login(machine), { name: NAMES.leases, ttlMs: TTL_MS });
    const [one, two] = [await open(a), await open(b)];
    const key = ownLeaseKey("b", "name");
    const lease = await createLeases(two, { ttlMs: TTL_MS }).acquire(key, "b");
    await expect(one.write(key, "{}", lease?.fence ?? 0)).rejects.toMatchObject({ code: "NATS_REFUSED" });
    await expect(one.remove(key, lease?.fence ?? 0)).rejects.toMatchObject({ code: "NATS_REFUSED" });
    expect((await two.read(key))?.revision).toBe(lease?.fence);
    await lease?.release();
  });

  test.each([
    ["purge a stream", `$JS.API.STREAM.PURGE.${STREAM}`],
    ["delete a stream", `$JS.API.STREAM.DELETE.${STREAM}`],
    ["change a stream", `$JS.API.STREAM.UPDATE.${STREAM}`],
    ["delete a message", `$JS.API.STREAM.MSG.DELETE.${STREAM}`],
    ["delete a bucket", `$JS.API.STREAM.DELETE.KV_${NAMES.leases}`],
    ["make a stream of its own", "$JS.API.STREAM.CREATE.other"],
    ["list the streams", "$JS.API.STREAM.NAMES"],
  ])("refuses a machine that would %s", async (_, subject) => {
    const connection = await login(a);
    await expect(connection.request(subject, "{}", { timeout: 2000 })).rejects.toThrow(/permissions violation/i);
  });

  test("lets daemons ask each other, and refuses one that speaks as another machine", async () => {
    const [one, two] = [await login(a), await login(b)];
    const heard = two.subscribe(routeSubject(CLUSTER, "b", "*"), { max: 1 });
    await two.flush();
    const reply = noticeSubject(CLUSTER, "a", "x");
    await expect(one.request(routeSubject(CLUSTER, "b", "c"), "{}", { timeout: 2000 })).rejects.toThrow(
      /permissions violation/i,
    );
    one.publish(routeSubject(CLUSTER, "b", "a"), "ask", { reply });
    for await (const { subject } of heard) expect(subject).toBe(routeSubject(CLUSTER, "b", "a"));
  });

  test("does not change a stream that a machine makes again with another configuration", async () => {
    const { manager } = await openStream(await login(a));
    const changed = { name: STREAM, subjects: [`claw.${CLUSTER}.>`], max_msgs: 1 };
    await expect(manager.streams.add(changed)).rejects.toThrow("already in use");
    expect((await manager.streams.info(STREAM)).config.max_msgs).toBe(-1);
  });

  test.each([
    ["its bucket into the events of another machine", `KV_${NAMES.ids}`, `claw.${CLUSTER}.b.forged`],
    ["the log into another machine's lease", STREAM, `$KV.${NAMES.leases}.${ownLeaseKey("b", "forged")}`],
  ])("stores nothing when a machine asks for a consumer that would deliver %s", async (_, stream, subject) => {
    const connection = await login(a);
    const { manager, client } = await openStream(connection);
    const ids = await openNatsBucket(connection, { name: NAMES.ids });
    const leases = await openNatsBucket(connection, { name: NAMES.leases, ttlMs: TTL_MS });
    await client.publish(`claw.${CLUSTER}.a.note`, "{}");
    await ids.write("forged", "{}", (await ids.read("forged"))?.revision ?? 0);
    const name = nats.name();
    await manager.consumers.add(stream, { name, deliver_subject: subject, deliver_policy: "all", ack_policy: "none" });
    for (let n = 0; n < 20; n += 1) await client.publish(`claw.${CLUSTER}.a.note`, "{}");
    const { delivered, push_bound: isBound } = await manager.consumers.info(stream, name);
    expect(delivered.consumer_seq).toBe(0);
    expect(isBound).not.toBe(true);
    expect(await leases.read(ownLeaseKey("b", "forged"))).toBeUndefined();
    const forged = manager.streams.getMessage(STREAM, { last_by_subj: `claw.${CLUSTER}.b.forged` });
    expect(await forged.catch(() => null)).toBeNull();
  });

  test("refuses a machine that listens to the answers of another, and a client without a key", async () => {
    const connection = await login(a);
    const subscription = connection.subscribe(`${inboxOf(CLUSTER, "b")}.>`, { max: 1 });
    await expect(subscription.closed.then((error) => error ?? "closed")).resolves.toBeInstanceOf(Error);
    const spoken = connection.subscribe(routeSubject(CLUSTER, "b", "*"), { max: 1 });
    await expect(spoken.closed.then((error) => error ?? "closed")).resolves.toBeInstanceOf(Error);
    await expect(connect({ servers: nats.server().url, reconnect: false })).rejects.toThrow(/authorization violation/i);
  });
});
