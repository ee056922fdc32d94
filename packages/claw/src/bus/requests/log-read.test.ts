import { expect, test } from "vitest";
import { append, event } from "../log/log.conformance.ts";
import { createMemoryLog } from "../log/index.ts";
import type { Frame } from "../testing/bus-harness.ts";
import { settle, startBus } from "../testing/bus-harness.ts";

const EVENTS = 30;

/** A bus whose log has some notes, on two topics in turns; and an observer. Its coming is not stored. */
async function openNotes(payload: (n: number) => unknown = (n) => ({ n })) {
  const log = createMemoryLog();
  for (let n = 1; n <= EVENTS; n += 1) await append(log, event(n % 2 === 0 ? "note.even" : "note.odd", payload(n)));
  const { connect } = await startBus({ log });
  const client = connect();
  await client.hello({ role: "observer", capabilities: ["transient"] });
  return { log, client, read: (fields: Frame) => client.ask({ cmd: "log.read", ...fields }) };
}

const sequences = ({ events }: Frame): unknown[] => (events as Frame[]).map(({ sequence }) => sequence);

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);

test("the events after a cursor come in one reply, as lines of the log", async () => {
  const { read } = await openNotes();
  const reply = await read({ since: "0001:28" });
  expect(reply).toMatchObject({ ok: true, cursor: "0001:30", more: false });
  expect(reply["events"]).toEqual(
    [29, 30].map((n) => ({
      topic: n === 29 ? "note.odd" : "note.even",
      from: "p_000001",
      ts_server: "2026-01-02T03:04:05.678Z",
      payload: { n },
      sequence: n,
    })),
  );
  expect(reply).not.toHaveProperty("gaps");
});

test("reading on from each cursor gives each event of the topics once", async () => {
  const { read } = await openNotes();
  for (const most of [{ limit: 4 }, { bytes: 500 }, { bytes: 1 }, { limit: 3, bytes: 400 }]) {
    const seen: unknown[] = [];
    let [since, more] = ["0000:0", true];
    while (more) {
      const part = await read({ since, topics: ["note.odd", "other.**"], ...most });
      expect(sequences(part).length).toBeLessThanOrEqual(most.limit ?? EVENTS);
      seen.push(...sequences(part));
      [since, more] = [String(part["cursor"]), part["more"] === true];
    }
    expect([seen, since]).toEqual([range(1, EVENTS, 2), "0001:30"]);
  }
});

test("a reply can be cut at its tabs, also when a payload was sent with tabs", async () => {
  const { client, log, read } = await openNotes();
  await append(log, { ...event("note.tab"), payload: '{\t"a":\t"\\t"}' });
  await read({ since: "0001:29", id: "cut" });
  const line = client.raw.frames.find((frame) => frame.includes('"events":')) ?? "";
  const list = line.slice(line.indexOf("[") + 1, line.lastIndexOf("]"));
  expect(list.split(",\t").map((item) => JSON.parse(item) as unknown)).toMatchObject([
    { sequence: 30 },
    { sequence: 31, payload: { a: "\t" } },
  ]);
});

test("a cursor of another log tells the gap, and one beyond the end is refused", async () => {
  const { read } = await openNotes();
  expect(await read({ since: "0009:7", limit: 1 })).toMatchObject({
    gaps: [{ from: "0009:7", to: "0001:0", reason: "epoch" }],
    events: [{ sequence: 1 }],
  });
  expect(await read({ since: "0001:31" })).toMatchObject({ ok: false, error: "invalid cursor" });
});

test.each([
  [{ since: "somewhere" }, "invalid cursor format"],
  [{}, "invalid cursor format"],
  [{ since: "0000:0", topics: [""] }, "topic invalid"],
  [{ since: "0000:0", topics: "note.*" }, "topic invalid"],
  [{ since: "0000:0", topics: ["a..b"] }, "topic invalid"],
  [{ since: "0000:0", limit: 0 }, "log.read:invalid-limit"],
  [{ since: "0000:0", bytes: "many" }, "log.read:invalid-bytes"],
])("%j is refused", async (fields, error) => {
  const { read } = await openNotes();
  expect(await read(fields)).toMatchObject({ ok: false, error });
});

test("a client that does not read its answers gets its events later, and loses none", async () => {
  const { client, read } = await openNotes();
  client.raw.congest(true);
  expect(await read({ since: "0001:3" })).toMatchObject({ events: [], cursor: "0001:3", more: true });
  client.raw.congest(false);
  expect(sequences(await read({ since: "0001:3" }))).toEqual(range(4, EVENTS));
});

test("readings of one client are answered one after another, in their order", async () => {
  const { client } = await openNotes();
  for (const id of [1, 2, 3]) client.raw.send(JSON.stringify({ id, cmd: "log.read", since: `0001:${id}`, limit: 1 }));
  await settle();
  const answers = client.frames().filter(({ events }) => events !== undefined);
  expect(answers.map((answer) => [answer["rid"], ...sequences(answer)])).toEqual([
    [1, 2],
    [2, 3],
    [3, 4],
  ]);
});
