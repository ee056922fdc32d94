import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVENT_LIMITS } from "./event-limits.ts";
import { readEvent } from "./read-event.ts";
import { EVENTS } from "./registry.ts";

const topic = "cmd.p7.abort";
const schema = "cmd-abort-v1";
const data = { reason: "over budget" };
const id = "1b4e28ba-2fa1-4d3b-883f-0016d3cca427";

describe("reading an event", () => {
  test("what the envelope and the data carry beyond their schemas is passed on, in the order it was sent", () => {
    const payload = JSON.parse(`{"x":1,"data":{"z":1,"reason":"r","__proto__":{"a":1}},"schema":"${schema}","v":1}`);
    const result = readEvent(topic, payload);
    expect(result).toEqual({ ok: true, event: { topic, schema, data: payload.data, envelope: payload } });
    expect(JSON.stringify(result.ok && result.event.envelope)).toBe(JSON.stringify(payload));
  });

  test("the schema that older servers wrap under says nothing and is accepted", () => {
    const envelope = { v: 1, id, schema: "claws/2", data };
    expect(readEvent(topic, envelope)).toEqual({ ok: true, event: { topic, schema, data, envelope } });
  });

  test("the data alone in an object is an envelope cut short", () => {
    expect(readEvent(topic, { data })).toEqual({ ok: true, event: { topic, schema, data, envelope: { data } } });
  });

  test("a command that needs no fields needs no payload", () => {
    const event = { topic: "cmd.p7.pause", schema: "cmd-pause-v1", data: {}, envelope: null };
    expect(readEvent("cmd.p7.pause", undefined)).toEqual({ ok: true, event });
    expect(readEvent(topic, undefined)).toMatchObject({ reason: "malformed", problems: [{ path: ["reason"] }] });
  });

  test("a topic without a schema is not malformed", () => {
    expect(readEvent("tool.bash.invoked", 7)).toEqual({
      ok: false,
      reason: "unknown-topic",
      topic: "tool.bash.invoked",
    });
  });

  test("another version of the schema is not malformed", () => {
    expect(readEvent(topic, { schema: "cmd-abort-v2", data: 7 })).toEqual({
      ok: false,
      reason: "unknown-version",
      schema: "cmd-abort-v2",
      known: ["cmd-abort-v1"],
    });
  });

  test("another version of the envelope is not malformed", () => {
    expect(readEvent(topic, { v: 2, schema, data })).toEqual({
      ok: false,
      reason: "unknown-version",
      schema: "envelope-v2",
      known: ["envelope-v1"],
    });
  });

  test("a schema of another topic is malformed", () => {
    expect(readEvent(topic, { schema: "cmd-reject-v1", data })).toEqual({
      ok: false,
      reason: "malformed",
      problems: [{ code: "invalid_schema", path: ["schema"], message: "Expected cmd-abort-v1 on this topic" }],
    });
  });

  test.each([
    [{ v: 0, data }, ["v"]],
    [{ v: "2", data }, ["v"]],
    [{ v: 1.5, data }, ["v"]],
    [{ v: 1, id: "nope", data }, ["id"]],
    [{ schema: 7, data }, ["schema"]],
    [{ schema, data: null }, ["data"]],
    [{ schema, data: { reason: 7 } }, ["data", "reason"]],
    [null, []],
    [[], []],
    ["text", []],
    [7, []],
  ])("%j is malformed", (payload, path) => {
    expect(readEvent(topic, payload)).toMatchObject({ ok: false, reason: "malformed", problems: [{ path }] });
  });

  test.each([null, 7, "", "cmd.*.abort", "a".repeat(1_000_000), {}])("%j is no topic", (value) => {
    expect(readEvent(value, data)).toEqual({
      ok: false,
      reason: "malformed",
      problems: [{ code: "invalid_topic", path: ["topic"], message: "Not a topic" }],
    });
  });

  test("the number of problems is limited", () => {
    const phases = Array(EVENT_LIMITS.listItems).fill("NAP");
    const payload = { phase: "PLAN", prev: null, transition_reason: "x", phases_completed: phases };
    const result = readEvent("worker.p7.phase", payload);
    expect(!result.ok && result.reason === "malformed" && result.problems.length).toBe(EVENT_LIMITS.problems);
  });

  test("a list beyond its limit is one problem, whatever it holds", () => {
    const phases = Array(EVENT_LIMITS.listItems + 1).fill("NAP");
    const payload = { phase: "PLAN", prev: null, transition_reason: "x", phases_completed: phases };
    expect(readEvent("worker.p7.phase", payload)).toMatchObject({
      problems: [{ code: "too_big", path: ["phases_completed"] }],
    });
  });

  test("deep nesting in fields nobody knows does no harm", () => {
    const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    expect(readEvent(topic, { ...data, deep }).ok).toBe(true);
  });

  test("any JSON on any registered topic is answered and never thrown at", () => {
    const topics = fc.constantFrom(...EVENTS.map(({ pattern }) => pattern.replaceAll("*", "x")));
    const field = fc.constantFrom("v", "schema", "data", "kind", "phase", "artifacts", "options", "__proto__");
    const payloads = fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue()), fc.anything());
    fc.assert(
      fc.property(topics, payloads, (topicName, payload) => {
        expect(typeof readEvent(topicName, payload).ok).toBe("boolean");
      }),
      { numRuns: 1000 },
    );
  });
});
