import { expect, test } from "vitest";
import { append } from "../log/log.conformance.ts";
import type { EventLog } from "../log/index.ts";
import { createMemoryLog } from "../log/index.ts";
import { settle, startBus } from "../testing/bus-harness.ts";

const OBSERVER = { role: "observer", peerName: "o", capabilities: ["gap"] };

/** A log with some events in it, of which something is different. */
async function filledLog(change: (log: EventLog) => Partial<EventLog>): Promise<EventLog> {
  const log = createMemoryLog();
  for (let n = 1; n <= 600; n += 1) {
    await append(log, { topic: "a.b", from: "p_000001", tsServer: "2026-01-01T00:00:00.000Z", payload: `${n}` });
  }
  return { ...log, ...change(log) };
}

test("a client whose events cannot be read is hung up on, and others are served", async () => {
  const reports: string[] = [];
  const disk = { broken: false };
  const log = await filledLog((inner) => ({
    read: (after) => (disk.broken ? Promise.reject(new Error("EIO")) : inner.read(after)),
  }));
  const { connect } = await startBus({ log, report: (text) => void reports.push(text) });
  const unlucky = connect();
  await unlucky.hello(OBSERVER);
  disk.broken = true;
  await unlucky.ask({ cmd: "subscribe", topic: "a.b", fromCursor: "0000:0" });
  disk.broken = false;
  const lucky = connect();
  await lucky.hello(OBSERVER);
  await lucky.ask({ cmd: "subscribe", topic: "a.b", fromCursor: "0000:0" });
  await settle();
  expect({ hungUp: unlucky.raw.ended(), reports, served: lucky.pushes().length }).toEqual({
    hungUp: true,
    reports: [expect.stringContaining("EIO")],
    served: 600,
  });
});

test("events that are gone when their turn comes are told of as a gap, where they were", async () => {
  const log = await filledLog((inner) => ({
    read: async (after) => {
      const batch = await inner.read(after);
      return { ...batch, events: batch.events.filter(({ sequence }) => sequence <= 256 || sequence > 400) };
    },
  }));
  const { connect } = await startBus({ log });
  const client = connect();
  await client.hello(OBSERVER);
  await client.ask({ cmd: "subscribe", topic: "a.b", fromCursor: "0000:0" });
  await settle();
  const told = client.frames().filter(({ push }) => push === "message" || push === "gap");
  expect(told.findIndex(({ push }) => push === "gap")).toBe(256);
  expect(client.pushes("gap")).toEqual([expect.objectContaining({ from: "0001:256", to: "0001:400" })]);
  expect(client.pushes()).toHaveLength(456);
});
