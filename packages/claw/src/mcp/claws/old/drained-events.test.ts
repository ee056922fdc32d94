import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createDrained } from "./drained-events.ts";

const names = fc.oneof(fc.constantFrom("worker.p_1.event", "note.a", "server", "p_000001"), fc.string());
const times = fc.constantFrom("2026-01-01T00:00:00.123Z", "2026-11-19T21:23:53.000Z", "no time");
const payloads = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue(),
  fc.record({ sequence: fc.nat(), payload: fc.constantFrom("x", ',"payload":', ',"sequence":9}'), said: fc.string() }),
);
const stored = fc.record({ topic: names, from: names, ts_server: times, payload: payloads, sequence: fc.nat() });

const drain = (items: readonly string[]) => {
  const drained = createDrained();
  for (const item of items) drained.add(item);
  return drained;
};

test("each event has the members that older clients read, whatever it holds", () => {
  fc.assert(
    fc.property(fc.array(stored), (events) => {
      const drained = drain(events.map((event) => JSON.stringify(event)));
      const told = events.map(({ topic, from, ts_server: time, payload, sequence }) =>
        JSON.stringify({ absoluteIndex: sequence - 1, topic, from, payload, sentAt: Date.parse(time) || 0, sequence }),
      );
      expect([drained.json(), drained.last()]).toEqual([told.join(","), events.at(-1)?.sequence]);
    }),
  );
});

test("a line of another form has the same members", () => {
  const item = '{ "sequence": 7, "from": "p_1", "topic": "note.a", "ts_server": "2026-01-01T00:00:00.123Z" }';
  const drained = drain([item]);
  expect(JSON.parse(drained.json())).toEqual({
    absoluteIndex: 6,
    topic: "note.a",
    from: "p_1",
    sentAt: 1_767_225_600_123,
    sequence: 7,
  });
  expect(drained.lines()).toBe("\n7 2026-01-01T00:00:00.123Z p_1 note.a");
});

test("a line of the text holds what the data of its event holds", () => {
  fc.assert(
    fc.property(fc.array(stored), (events) => {
      const lines = drain(events.map((event) => JSON.stringify(event))).lines();
      const word = String.raw`(?:"(?:[^"\\]|\\.)*"|[^"\\\s]+)`;
      const form = new RegExp(`^(\\d+) (no time|\\S+) (${word}) (${word})(?: ([^]*))?$`);
      const read = (text: string): unknown => (text.startsWith('"') ? JSON.parse(text) : text);
      const told = lines
        .split("\n")
        .slice(1)
        .map((line) => {
          const [, sequence, time, from = "", topic = "", payload] = form.exec(line) ?? [];
          const body = payload === undefined ? {} : { payload: JSON.parse(payload) as unknown };
          return { topic: read(topic), from: read(from), ts_server: time, ...body, sequence: Number(sequence) };
        });
      expect(JSON.stringify(told)).toBe(JSON.stringify(events));
    }),
  );
});
