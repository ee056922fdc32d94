import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { startBus } from "../testing/bus-harness.ts";
import type { Frame } from "../../process/testing/json-lines.ts";
import { connectFrames } from "../../process/testing/json-lines.ts";
import { until } from "../../process/testing/until.ts";
import { unsyncedFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { openSegmentLog } from "../log/index.ts";
import { createUnixTransport } from "../transports/unix.ts";

/** A bus on a real socket whose log keeps only the newest few events. */
async function startForgetful() {
  const folder = temporaryFolder(onTestFinished);
  const log = openSegmentLog(unsyncedFileSystem, {
    directory: join(folder, "log"),
    durability: "strict",
    segmentBytes: 20_000,
    retainBytes: 100_000,
    retainMs: Infinity,
  });
  const reports: string[] = [];
  const report = (text: string): void => void reports.push(text);
  const harness = await startBus({ log, now: Date.now, publishRate: 0, report });
  const path = join(folder, "s.sock");
  const transport = await harness.listen(createUnixTransport(path));
  const stop = async (): Promise<void> => {
    await transport.close();
    await log.close();
  };
  return { path, log, reports, stop };
}

/** A client of the socket and everything it got. */
async function enter(path: string, role: string) {
  const { socket, frames, send } = await connectFrames(path);
  send({ cmd: "hello", protocol: "claws/2", role, capabilities: ["gap", "receipts"] });
  await until("the hello", () => frames.length > 0);
  return { frames, send, socket };
}

const sequenceOf = (cursor: unknown): number => Number(String(cursor).split(":")[1]);

/** How far frames lead from a place on, when each event and each gap follows on the one before; else what is wrong. */
function follow(frames: readonly Frame[], start: number): number | string {
  let at = start;
  for (const { push, sequence, from, to } of frames) {
    if (push === "gap" && sequenceOf(from) !== at) return `a gap from ${String(from)} at ${at}`;
    if (push === "gap") at = sequenceOf(to);
    if (push === "message" && sequence !== at + 1) return `${String(sequence)} after ${at}`;
    if (push === "message") at += 1;
  }
  return at;
}

interface Reader {
  /** Begins after so many events were published. */
  readonly after: number;
  /** Which part of the log it begins at, in percent. */
  readonly percent: number;
  /** For how many events it does not read. */
  readonly pause: number;
}

const EVENTS = 600;
const PAYLOAD = "x".repeat(1000);

const reader = fc.record<Reader>({
  after: fc.nat(EVENTS - 1),
  percent: fc.nat(100),
  pause: fc.oneof(fc.constant(0), fc.nat(EVENTS)),
});

/** Publishes while readers come, stop and go on; what each of them got is then followed to the end. */
async function run(readers: readonly Reader[]): Promise<{ wrong: (number | string)[]; gaps: number }> {
  const { path, log, reports, stop } = await startForgetful();
  const writer = await enter(path, "orchestrator");
  const joined: { readonly start: number; readonly client: Awaited<ReturnType<typeof enter>>; until: number }[] = [];
  for (let n = 0; n < EVENTS; n += 1) {
    writer.send({ id: n, cmd: "publish", topic: "note.x", payload: { n, text: PAYLOAD } });
    if (n % 20 === 0) await until("the receipts", () => writer.frames.length > n);
    for (const each of joined) if (each.until === n) each.client.socket.resume();
    for (const { percent, pause } of readers.filter(({ after }) => after === n)) {
      const client = await enter(path, "observer");
      const start = Math.floor((log.head() * percent) / 100);
      client.send({ cmd: "subscribe", topic: "**", fromCursor: `0001:${start}` });
      if (pause > 0) client.socket.pause();
      joined.push({ start, client, until: n + pause });
    }
  }
  await until("every receipt", () => writer.frames.length > EVENTS);
  for (const { client } of joined) client.socket.resume();
  const reach = (): (number | string)[] => joined.map(({ start, client }) => follow(client.frames, start));
  await until("every reader", () => reach().every((at) => at === log.head() || typeof at === "string"));
  const wrong = [...reach().filter((at) => at !== log.head()), ...reports];
  const gaps = joined.flatMap(({ client }) => client.frames.filter(({ push }) => push === "gap")).length;
  for (const client of [writer, ...joined.map((each) => each.client)]) client.socket.destroy();
  await stop();
  return { wrong, gaps };
}

test("while retention goes on, every reader gets each event or is told of the gap, in order and once", async () => {
  let gaps = 0;
  const property = fc.asyncProperty(fc.array(reader, { minLength: 1, maxLength: 6 }), async (readers) => {
    const outcome = await run(readers);
    gaps += outcome.gaps;
    return outcome.wrong.length === 0;
  });
  await fc.assert(property, { numRuns: 15, examples: [[[{ after: EVENTS - 1, percent: 1, pause: 0 }]]] });
  expect(gaps).toBeGreaterThan(0);
});
