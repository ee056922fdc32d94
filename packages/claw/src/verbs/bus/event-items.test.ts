import type { EventItem } from "claw-client";
import { expect, test } from "vitest";
import { eventItem, eventItemLine, gapItem, gapText, noticeItem } from "./event-items.ts";
import { localTime } from "../text/times.ts";
import { PLAIN } from "../testing/test-ports.ts";

const EVENT: EventItem = {
  kind: "event",
  topic: "worker.p_1.event",
  from: "p_1",
  sequence: 42,
  cursor: "0001:42",
  storedAtMs: Date.parse("2026-01-02T03:04:05.678Z"),
  payload: { v: 1, id: "e-1", data: { message: "half way" } },
  envelope: { v: 1, id: "e-1", from_peer: "p_1", from_name: "audit", ts_published: "", data: { message: "half way" } },
  data: { message: "half way" },
};

const GAP = { kind: "gap", from: "0001:1", to: "0001:9", reason: "retention" } as const;

test("an event is shown with its time, in either form", () => {
  expect(eventItem(EVENT, "claw")).toEqual({
    type: "event",
    topic: "worker.p_1.event",
    from: "p_1",
    ts_server: "2026-01-02T03:04:05.678Z",
    sequence: 42,
    cursor: "0001:42",
    payload: EVENT.payload,
  });
  expect(eventItem(EVENT, "cloudevents")).toEqual({
    specversion: "1.0",
    id: "e-1",
    source: "claws://p_1",
    type: "worker.p_1.event",
    time: "2026-01-02T03:04:05.678Z",
    datacontenttype: "application/json",
    sequence: "42",
    cursor: "0001:42",
    data: { message: "half way" },
  });
});

test("a CloudEvent has an id and a source that is a URI, whatever was published", () => {
  const bare = { ...EVENT, envelope: null, payload: undefined, data: undefined, from: "a b/ü" };
  const empty = { ...EVENT, envelope: { v: 1, id: "", from_peer: "", from_name: "", ts_published: "", data: 1 } };
  const [one, two, gap] = [
    eventItem(bare, "cloudevents"),
    eventItem(empty, "cloudevents"),
    gapItem(GAP, "cloudevents"),
  ];
  expect([one, two]).toMatchObject([{ id: "0001:42", data: null }, { id: "0001:42" }]);
  expect(gap).toMatchObject({ specversion: "1.0", type: "claw.gap", data: { from: "0001:1", to: "0001:9" } });
  for (const { source, id } of [one, two, gap] as { source: string; id: string }[]) {
    expect([new URL(source).protocol, id]).toEqual(["claws:", expect.stringMatching(/^.+$/)]);
  }
});

test("what was told and not stored has no place in the log, in either form", () => {
  const payload = { peerId: "p_2" };
  const notice = { kind: "notice", topic: "system.peer.left", from: "server", sentAtMs: 0, payload } as const;
  const ts_server = "1970-01-01T00:00:00.000Z";
  const shown = noticeItem(notice, "claw");
  expect(shown).toEqual({ type: "notice", topic: "system.peer.left", from: "server", ts_server, payload });
  const line = eventItemLine({ topic: "system.peer.left", from: "server", ts_server, summary: "p_2  left" }, PLAIN);
  expect(line).toBe(`     -  ${localTime(ts_server)}  p_2  left`);
  expect(noticeItem(notice, "cloudevents")).toMatchObject({ type: "system.peer.left", time: ts_server, data: payload });
});

test("an event is a line for people, broken between words; without one it is whole, and its JSON never cut", () => {
  const item = { sequence: 42, topic: "note.x", from: "p_1", ts_server: "2026-01-02T03:04:05Z" };
  const head = `    42  ${localTime(item.ts_server)}`;
  const said = { ...item, summary: `audit         says: ${"word ".repeat(12)}` };
  expect(eventItemLine(said, { ...PLAIN, columns: 80 }).split("\n")).toEqual([
    `${head}  audit         says: word word word word word word word`,
    `${" ".repeat(head.length + 16)}word word word word word`,
  ]);
  const whole = eventItemLine({ ...item, payload: { text: "x".repeat(200) } }, { ...PLAIN, columns: 60 });
  expect(JSON.parse(whole.split("\n").slice(1).join("\n"))).toEqual({ text: "x".repeat(200) });
  expect(eventItemLine(item, PLAIN)).toBe(`${head}  note.x  p_1`);
});

test("a gap is said in words", () => {
  expect(gapText(GAP)).toBe("events after 0001:1 and up to 0001:9 can no longer be read: they were too old to be kept");
  expect(gapText({ ...GAP, reason: "novelty" })).toMatch(/: novelty$/);
});
