import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryLog } from "../log/index.ts";
import { settle, startBus } from "../testing/bus-harness.ts";
import { payloadText, readRequest } from "./wire.ts";

function cut(line: string): string | undefined {
  const reading = readRequest(line);
  return reading.kind === "request" ? payloadText(line, reading.request) : "not a request";
}

describe("a payload's own text", () => {
  test("is used when it is the last member and an object", () => {
    expect(cut('{"id":1,"cmd":"publish","topic":"a.b","payload":{"id":"x","n":[1,{}]} }')).toBe(
      '{"id":"x","n":[1,{}]}',
    );
  });

  test.each([
    '{"cmd":"publish","from":1,"topic":"a.b","payload":{"a":1},"from":"p_000009"}',
    '{"cmd":"publish","echo":1,"topic":"a.b","payload":{"a":1},"echo":{}}',
    '{"cmd":"publish","echo":1,"topic":"a.b","payload":{"a":1},"echo":{},"echo":1}',
    '{"cmd":"publish","echo":1,"topic":"a.b","payload":{"a":1},"echo":[{}]}',
    '{"cmd":"publish","topic":"a.b","payload":{"a":1},"p\\u0061yload":{"b":2}}',
    '{"cmd":"publish","topic":"a.b","payload":{"a":1},"payload" :{"b":2}}',
    '{"cmd":"publish","topic":"a.b","payload":{"a":1},"payload":{"b":2}}',
    '{"cmd":"publish","topic":"a.b","payload":1,"topic":"a.b"}',
    '{"cmd":"publish","payload":{"a":1},"topic":"a.b"}',
    '{"cmd":"publish","x":{"payload":{"a":1}}}',
    '{"cmd":"publish","topic":"a.b","payload":{"a":\r1}}',
  ])("is not cut out of %s", (line) => {
    expect(cut(line)).toBeUndefined();
  });
});

/** JSON text in which members may stand twice, in other spellings, and with space anywhere. */
const space = fc.constantFrom("", " ", "\t", "\r");
const key = fc.constantFrom("cmd", "topic", "payload", "echo", "p\\u0061yload", "\\u0065cho", 'a\\"payload\\":');
const value = fc.oneof(
  fc.json(),
  fc.constantFrom('{"payload":1}', "{}", '"}"', '"{"', '{"a":"\\"payload\\":"}', '{"a":"\\\\"}', "1"),
);
const member = fc
  .tuple(space, key, space, value, space)
  .map(([before, name, colon, json, after]) => `${before}"${name}"${colon}:${json}${after}`);

test("whatever a request says twice, a text that is cut out is its payload", () => {
  const isPayload = (line: string, text: string | undefined): boolean =>
    text === undefined || isDeepStrictEqual(JSON.parse(text), (JSON.parse(line) as { payload: unknown }).payload);
  const wrong: string[] = [];
  const property = fc.property(fc.array(member, { maxLength: 6 }), space, (members, end) => {
    const line = `{${members.join(",")}${end}}`;
    if (!isPayload(line, cut(line))) wrong.push(line);
  });
  fc.assert(property, { numRuns: 5000 });
  expect(wrong).toEqual([]);
});

test("members that stand twice can neither forge a sender nor break the log", async () => {
  const log = createMemoryLog();
  const { connect } = await startBus({ log });
  const watcher = connect();
  await watcher.hello({ role: "observer" });
  await watcher.ask({ cmd: "subscribe", topic: "**" });
  const writer = connect();
  const { peerId } = await writer.hello({ role: "worker", peerName: "w" });
  const envelope = {
    v: 1,
    id: "6f1d6a1e-1a52-4a8e-9e9f-0d7d5a6f2b11",
    from_peer: peerId,
    from_name: "w",
    ts_published: "2026-01-01T00:00:00.000Z",
    schema: "worker-event-v1",
    data: { kind: "LOG", severity: "info", message: "a" },
  };
  const head = `"cmd":"publish","from":1,"echo":1,"topic":"worker.${String(peerId)}.event","payload":${JSON.stringify(envelope)}`;
  writer.raw.send(`{"id":1,${head},"echo":{}}`);
  writer.raw.send(`{"id":2,${head.replace("b11", "b12")},"from":"p_000009"}`);
  await settle();
  const { events } = await log.read(0);
  const stored = events.filter(({ topic }) => topic.startsWith("worker."));
  expect(stored.map(({ payload }) => JSON.parse(payload ?? "") as unknown)).toHaveLength(2);
  expect(watcher.pushes().map(({ from }) => from)).toEqual(["server", peerId, peerId]);
});
