import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { openNatsBucket } from "../../buckets/nats-bucket.ts";
import { createLeases } from "../create-leases.ts";

/**
 * Takes a lease and writes under it again and again, without asking whether it is held, until it has ended; and then once
 * more. Started with the server's address, the bucket, the lease's time, and the subject to write on.
 */
async function holdStubbornly([servers = "", name = "", ttl = "", subject = ""]: readonly string[]): Promise<void> {
  const connection = await connect({ servers, maxReconnectAttempts: -1 });
  const ttlMs = Number(ttl);
  const lease = await createLeases(await openNatsBucket(connection, { name, ttlMs }), { ttlMs }).acquire("work", "old");
  if (lease === undefined) throw new Error("the lease is free when this program starts");
  const client = jetstream(connection);
  const write = (): Promise<unknown> =>
    client.publish(subject, JSON.stringify({ holder: "old", fence: lease.fence, held: lease.isHeld() }));
  const ended = new AbortController();
  void lease.ended.then((how) => ended.abort(how));
  while (!ended.signal.aborted) await write();
  await write();
  process.stdout.write(`${String(ended.signal.reason)}\n`);
  await connection.close();
}

void holdStubbornly(process.argv.slice(2));
