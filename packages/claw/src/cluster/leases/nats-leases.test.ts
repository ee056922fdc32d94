import { spawn } from "node:child_process";
import { once } from "node:events";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { createFence } from "../../bus/leases/fence.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { bundleProgram } from "../../process/testing/bundle-program.ts";
import { until } from "../../process/testing/until.ts";
import { openNatsBucket } from "../buckets/nats-bucket.ts";
import { describeOnNats } from "../testing/nats-suite.ts";
import { createLeases } from "./create-leases.ts";
import type { Leases } from "./lease.ts";
import { leasesConformance } from "./leases.conformance.ts";

const TTL_MS = 1500;

describeOnNats("leases on NATS", "", (nats) => {
  const connections = new Map<Leases, NatsConnection>();
  leasesConformance({
    rounds: 1000,
    open: async (count, ttlMs) => {
      const name = nats.name();
      const machines = Array.from({ length: count }, async () => {
        const connection = await nats.connect();
        const leases = createLeases(await openNatsBucket(connection, { name, ttlMs }), { ttlMs });
        connections.set(leases, connection);
        return leases;
      });
      return Promise.all(machines);
    },
    cutOff: async (leases) => connections.get(leases)?.close(),
  });

  test("a holder that is stopped past its lease while it writes: what it writes later is ignored", async () => {
    const name = nats.name();
    const connection = await nats.connect();
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name, subjects: [name] });
    const leases = createLeases(await openNatsBucket(connection, { name: `${name}-leases`, ttlMs: TTL_MS }), {
      ttlMs: TTL_MS,
    });
    const written = async (): Promise<number> => (await manager.streams.info(name)).state.messages;
    const program = await bundleProgram(
      new URL("testing/stubborn-holder.ts", import.meta.url),
      temporaryFolder(onTestFinished),
    );
    const args = [program, nats.server().url, `${name}-leases`, String(TTL_MS), name];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await until(async () => (await written()) > 10);
    child.kill("SIGSTOP");
    const lease = await until(() => leases.acquire("work", "new"));
    await jetstream(connection).publish(name, JSON.stringify({ holder: "new", fence: lease.fence, held: true }));
    child.kill("SIGCONT");
    const [end] = (await once(child.stdout, "data")) as [Buffer];
    expect(["unconfirmed\n", "taken\n"]).toContain(String(end));
    const fence = createFence();
    const events = [];
    for (let sequence = 1; sequence <= (await written()); sequence += 1) {
      const message = await manager.streams.getMessage(name, { seq: sequence });
      const event = message?.json<{ holder: string; fence: number; held: boolean }>();
      if (event === undefined) continue;
      const counts = fence.admits({ lease: { key: "work", number: event.fence }, sequence });
      events.push({ ...event, counts });
    }
    const turn = events.findIndex(({ holder }) => holder === "new");
    expect(events.slice(0, turn).every(({ counts }) => counts)).toBe(true);
    expect(events[turn]?.counts).toBe(true);
    const late = events.slice(turn + 1);
    expect(late.length).toBeGreaterThan(0);
    expect(late.filter(({ counts }) => counts)).toEqual([]);
    expect(late.at(-1)?.held).toBe(false);
    await lease.release();
  });
});
