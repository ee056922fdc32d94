import { expect, test } from "vitest";
import * as fc from "fast-check";
import { settle, startBus } from "../testing/bus-harness.ts";
import { refuseRequest, storedAtMs } from "./wire.ts";

test("an event has one time, when it was stored, live and replayed, bare and enveloped", async () => {
  const { connect, clock } = await startBus();
  const [writer, live, late] = [connect(), connect(), connect()];
  await writer.hello({ role: "orchestrator" });
  await live.hello({ role: "observer" });
  await live.ask({ cmd: "subscribe", topic: "**" });
  clock.now += 1234;
  await writer.ask({ cmd: "publish", topic: "note.x", payload: 1 });
  await writer.ask({ cmd: "publish", topic: "cmd.p_000009.pause", payload: {} });
  const storedAt = clock.now;
  clock.now += 3_600_000;
  await late.hello({ role: "observer" });
  await late.ask({ cmd: "subscribe", topic: "**", fromCursor: "0000:0" });
  await settle();
  const timesOf = (client: typeof live, from: string): unknown[] =>
    client.pushes().flatMap((frame) => (frame["from"] === from ? [frame["sentAt"]] : []));
  expect([timesOf(live, "p_000001"), timesOf(late, "p_000001")]).toEqual([
    [storedAt, storedAt],
    [storedAt, storedAt],
  ]);
  const joined = Date.parse("2026-01-01T00:00:00.000Z");
  expect(timesOf(late, "server")).toEqual([joined, joined, clock.now]);
});

test("a time of the server is read as the milliseconds it was made from", () => {
  const times = fc.integer({ min: 0, max: Date.parse("9999-12-31T23:59:59.999Z") });
  fc.assert(
    fc.property(times, (ms) => {
      expect(storedAtMs(new Date(ms).toISOString())).toBe(ms);
    }),
  );
});

test.each(["", "yesterday", "x".repeat(24), "2026-01-01T00:00:99.xxxZ"])("what is no time is 0: '%s'", (text) => {
  expect(storedAtMs(text)).toBe(0);
});

test("a time of another form is read all the same", () => {
  expect(storedAtMs("2026-01-01T01:00:00+01:00")).toBe(Date.parse("2026-01-01T00:00:00Z"));
});

test.each([
  [{ code: "WORKER_NOT_FOUND" as const }, { hint: "List the workers: claw ps.", code: "WORKER_NOT_FOUND" }],
  [
    { code: "WORKER_ENDED" as const, hint: "Start another." },
    { code: "WORKER_ENDED", hint: "Start another." },
  ],
  [{ details: { a: 1 } }, { details: { a: 1 } }],
])("a refusal with %j carries the hint of its code, unless it has its own", (more, fields) => {
  expect(JSON.parse(refuseRequest({ id: 1 }, "no", more))).toEqual({
    id: 1,
    protocol: "claws/1",
    ok: false,
    error: "no",
    ...fields,
    rid: 1,
  });
});
